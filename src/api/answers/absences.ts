import { sayOf } from '../../analysis/sentences.ts';

/** Why an answer lacks a part, each reason once; docs/sentences.md lists them. */
export const ABSENCES = {
  // The market.
  'absent.index': 'No index traded in this session or the one before.',
  'absent.index_today': '{symbol} has no bar on {date}; what is shown of it is of {session}.',
  'absent.index_history': '{symbol} has fewer than {sessions} sessions in a row.',
  'absent.index_trend': 'Too few votes on the trend of {symbol}.',
  'absent.vix': 'No VIX in this session or the one before.',
  'absent.vix_before': 'No session of {symbol} before this one.',
  'absent.breadth': 'Breadth needs {stocks} stocks with a bar in this session and the one before.',
  'absent.breadth_history': 'Breadth needs {stocks} stocks with {sessions} sessions.',
  'absent.decliners': 'No stock fell.',
  'absent.sectors': 'No sector has three stocks with a bar.',
  'absent.results': 'No dates of results are known.',
  // A stock.
  'absent.bars': 'No bar of the session yet.',
  'absent.daily_history': 'Too few daily bars.',
  'absent.scores': 'Too few inputs for a score.',
  'absent.flow': 'No trades with a side in this session.',
  'absent.earnings': 'Neither results nor a date of results.',
  'absent.statements': 'No statements reported.',
  'absent.news': 'No news of this stock in the last month.',
  'absent.sector': 'The sector of the company is not known.',
  'absent.sector_returns': 'Too few stocks of the sector traded.',
  'absent.state': 'Too little is known of the day to compare it.',
  'absent.similar_days': 'No earlier day can be compared.',
  'absent.similar_granted': 'The similar days are of stocks beyond your grant.',
  'absent.playbooks': 'No playbook has its conditions met.',
  'absent.playbook_price': 'Playbooks need a last price.',
  'absent.runs': 'No backtest of yours has ended.',
  'absent.runs_granted': 'Your token does not cover backtests.',
  'absent.expirations': 'Expirations were not asked for.',
  // The debate.
  'absent.few_facts': 'Few facts support this side.',
  'absent.no_fact': 'No fact supports this side.',
  // Option chains.
  'absent.chain': 'No option chain of {symbol}.',
  'absent.chain_then': 'No option chain of {symbol} on {date} or the session before.',
  'absent.chain_newest': 'The newest before it is of {taken}.',
  'absent.chain_old': 'The newest chain is of {date}, {sessions} sessions ago.',
  // What a query finds.
  'absent.found_news': 'No news matches the query.',
  'absent.found_playbooks': 'No playbook matches the query.',
  'absent.found_facts': 'No fact matches the query.',
} as const;

export const absence = sayOf(ABSENCES);
