import { sayOf } from '../../analysis/sentences.ts';

/** Why an answer lacks a part or a field, or why there is none, each reason once; `npm run docs:sentences` lists them. */
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
  'absent.peers': 'Peers are left out: none of {symbol} are known for {date}.',
  'absent.peers_pending': 'Peers are left out: those of {date} are still to be measured.',
  'absent.one_exchange':
    'Prices are of one exchange alone: high and low may lie inside those of the market, and volume with all that needs it is not known.',
  // A field that is null, by what it needs.
  'null.one_exchange':
    'It needs the shares traded, and the feed is of one exchange, whose shares are not those of the stock.',
  'null.unknown_volume':
    'It needs the shares traded, and no source states them: they were left out, or stand as no shares (-1, n/a, a count of ticks).',
  'null.nothing_to_say': 'Only a fault has a reason or a warning.',
  'null.whole_market': 'No bar is of one exchange alone.',
  'null.feed_ran': 'The feed did not stop within the session.',
  'null.flip': 'No change of a single input would move a tier or the bias, or there is no score.',
  'null.component': 'No input of this component is known.',
  'null.pulse': 'The pulse is measured from 09:35 on, from bars of a minute.',
  'null.entry':
    'Entries are timed while the session runs: before its first bar and after its close there is no score.',
  'null.conviction':
    'Conviction needs one-minute bars of the session and inputs of the scores, over the time that it looks back.',
  'null.gate': 'What the gate judges is not known.',
  'null.chain':
    'It needs an option chain of this trade date or the session before with quotes and open interest, or a history of implied volatility.',
  'null.expected_move':
    'It needs an option chain of this trade date or the session before with quotes at the money, and the official close that it is measured from: that of the next session is there after the close.',
  'null.results': 'It needs reported results, estimates of them, or a date of the next.',
  'null.analysts': 'No targets, estimates or grades of analysts say it.',
  'null.insiders': 'No transactions of insiders are reported.',
  'null.statements': 'It needs reported statements and shares, or a profile of the company, that say it.',
  'null.news': 'It needs news of this stock.',
  'null.profile': 'No reported profile of the company says it.',
  'null.flow': 'It needs trades with their side in this session.',
  'null.quotes': 'There are no quotes of this session.',
  'null.regime': 'It needs the index, the VIX, breadth and the history of the stock.',
  'null.trend': 'It needs a trend, and daily bars enough to measure it.',
  'null.scores': 'Too few inputs for a score.',
  'null.peers': 'No peers are measured, or too few within this distance.',
  'null.part_of_day': 'No bar of this part of the day.',
  'null.level': 'No level is known on this side of the price.',
  'null.level_today':
    'No bar of the regular session says it: none came to the level, none is known yet, or the session is not seen whole.',
  'null.minutes': 'It needs one-minute bars of the session, or of the one before, and its window closed.',
  'null.bars': 'It needs a bar of the session, or of the one before.',
  'null.daily_history': 'It needs more daily bars in a row, with volume where it speaks of volume.',
  // The debate.
  'absent.few_facts': 'Few facts support this side.',
  'absent.no_fact': 'No fact supports this side.',
  // Option chains.
  'absent.chain': 'No option chain of {symbol}.',
  'absent.chain_then': 'No option chain of {symbol} on {date} or the session before.',
  'absent.chain_newest': 'The newest before it is of {taken}.',
  'absent.chain_before': 'The chain is of {taken}, the session before.',
  'absent.chain_old': 'The newest chain is of {taken}, {sessions} sessions ago.',
  // Nothing to answer with.
  'refused.symbol': 'No data for the symbol {symbol}',
  'refused.renamed': 'No data for the symbol {symbol}: it has traded as {ticker} since {from}',
  'refused.before_first': '{symbol} has no data at {date}; its first session is {first}',
  'refused.date': '{symbol} has no data on {date}',
  'refused.date_nearest': '{symbol} has no data on {date}; the nearest session with data is {nearest}',
  'refused.not_yet': 'The session of {date} has not begun at this minute',
  'refused.not_yet_newest': 'The session of {date} has not begun at this minute; the newest is {newest}',
  'refused.no_session_yet': '{symbol} has no session yet',
  'refused.parts':
    'Of {symbol} only parts of sessions are known, in bars of {lengths}; a session needs daily bars, or minutes of the whole of it',
  'refused.market': 'No data yet',
  'refused.market_date': 'No data of {date}',
  'refused.market_nearest': 'No data of {date}; the nearest session with data is {nearest}',
  'refused.peers': 'No peers of {symbol} on {date}',
  'refused.peers_before':
    'No peers of {symbol} on {date}; the newest session with peers before it is {before}',
  'refused.peers_pending': 'The peers of {date} are still to be measured',
  'refused.graph': 'The graph has nothing of {symbol} yet',
  'refused.graph_date': 'The graph has nothing of {symbol} on {date}; its newest session is {newest}',
  'refused.screen': 'No session to screen yet',
  'refused.screen_pending':
    'No session to screen yet: the stocks that were imported are still derived, ask again in a moment',
  'refused.screen_date': 'The session of {date} cannot be screened; the newest that can is {newest}',
  // What a query finds.
  'absent.found_news': 'No news matches the query.',
  'absent.found_playbooks': 'No playbook matches the query.',
  'absent.found_facts': 'No fact matches the query.',
} as const;

export const absence = sayOf(ABSENCES);
