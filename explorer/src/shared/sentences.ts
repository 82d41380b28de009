/** What the Explorer itself says to a trader, each sentence once; `npm run docs:sentences` lists them. `{figure}` is quoted. */

/** Why something is not there. */
export const ABSENT = {
  value: 'Not known at this minute.',
  field: 'Not known on this date.',
  volume: 'The feed is of one exchange, whose shares are not those of the stock.',
  minuteBars: '{symbol} has no minute bars of these sessions.',
  barsUntil: '{symbol} has no bars up to this minute.',
  sessionBars: 'No bar of a session up to this minute.',
  trades: 'No trades of this session, only bars.',
  chain: 'No option chain known at this minute.',
  levels: 'No levels of this stock known at this minute.',
  levelStates:
    'What became of the levels today is not known: it takes bars of every minute of the session since the open.',
  news: 'No news of this stock known at this minute.',
  events: 'No price event in the last sessions.',
  playbooks: 'No playbook has its conditions met.',
  entry: 'No entry yet: the side that price leaves first decides it.',
  peers: 'No peers: too little in common with any other stock, or too few sessions.',
  recommendation: 'No recommendation of analysts known at this minute.',
  results: 'No results known at this minute.',
  fundamentals: 'No fundamentals known at this minute.',
  statements: 'No statements known at this minute.',
  insiders: 'No insider trades known at this minute.',
  description: 'No description of the company.',
  score: '{score} needs minute bars of a regular session that has begun.',
  volatility: 'No history of the VIX.',
  breadthHistory: 'Too few stocks on each of these sessions.',
  resultDates: 'No dates of results are known.',
  screen: 'No stock passes. Below are those that miss one condition, nearest first.',
  screenAlone: 'No stock passes, and none nearly: loosen or remove a condition.',
  screenUnknown: 'No stock passes, and of some the screen reads what is not known.',
  runs: 'No run yet: choose symbols, dates and signals, and start one.',
  runMinutes: 'A backtest needs one-minute bars: none are loaded.',
  runFailed: 'The run failed.',
  runCancelled: 'The run was cancelled.',
  runBars: 'No session of the range has minute bars.',
  runTrades: 'Too few trades to say.',
  runNoTrades: 'No signal of this cell had an entry: name more sessions, symbols or signals.',
  runChart: 'The minute bars of this session are no longer loaded.',
  runSessions: 'Too few sessions or trades to say.',
  runUnseen: 'Too few sessions to hold some out of sample.',
  data: 'No data yet: the page Data takes files.',
  lists: 'No list yet: press w to put this stock on one.',
  planList: 'No list yet. Take one of the lists of a morning, or open a stock and press w to begin your own.',
  listed: 'The list is empty: press w to put this stock on it.',
  listScreen: 'No stock passes the screen of this list.',
  tour: 'This session has no such moments: choose one with bars of minutes.',
  compared: 'Nothing is compared yet: add two to four stocks above.',
  records: 'Nothing is recorded yet: past sessions are counted once, and then each session as it ends.',
  recordsChosen: 'None was made on such days.',
} as const;

/** Warnings of an answer by their names; one that is not named is shown as it is. */
export const WARNINGS: Readonly<Record<string, string>> = {
  intraday_decline_severe: 'Falling hard today',
  extreme_rsi: 'RSI at an extreme',
  feed_stale: 'The feed has stopped: prices are old',
  session_partial: 'Minutes are missing after the open or before the close',
  session_incomplete: 'The feed stopped before the close',
  one_exchange: 'Prices of one exchange: high and low may be missed, volume is not known',
  index_not_scored: 'An index has no scores',
};

/** What to do about a refusal, by its code. */
export const WAYS: Readonly<Record<string, string>> = {
  unreachable: 'The page tries again by itself as soon as the service is back; nothing you typed is lost.',
  token_required: 'Enter client, grant and secret under "token" in the header.',
  invalid_token: 'Enter client, grant and secret again under "token" in the header.',
  insufficient_scope: 'This token lacks the scope; ask the operator for a grant that has it.',
  unknown_watchlist: 'Choose another list above.',
  unknown_symbol: 'The search above, or the key /, finds every symbol with data; the page Data takes files.',
  no_data_for_date: 'Choose another session with [ and ] or in the calendar; the page Data takes files.',
  no_data: 'The page Data takes files of bars, chains and news.',
  no_option_chain: 'Other tabs show what is known without a chain.',
};

/** What a verdict means for one who would trade it. */
export const VERDICTS = {
  robust:
    'Chance is an unlikely reason for the best cell, and its choice held on sessions that it had not seen.',
  doubtful: 'The best cell earned, but chance may explain it.',
  overfit: 'The best cell of one half of the sessions is more often bad than good on the other half.',
  unprofitable: 'No stop and target earned over these sessions.',
  inconclusive: 'Too few sessions or trades to tell luck from skill.',
} as const;

/** What this is, for a first visit. */
export const WHAT =
  'tigraph shows a stock at any minute as it was known then: its levels, scores and setups, and what each comes from.';

/** First steps, each gone once its reader has done it. */
export const HINTS = [
  'Point at a line of the ledger: what it was computed from lights up on the chart, and a click opens its numbers.',
  'Drag the handle under the chart, or press the arrow keys: everything is shown as it was known at that minute.',
  'Open Peers below: who moves with this stock, and who has left it behind.',
] as const;

/** The same where a finger is all there is. */
export const TOUCH_HINTS = [
  'Touch a line of the ledger: its numbers open, and what it was computed from lights up on the chart.',
  'Drag the handle under the chart: everything is shown as it was known at that minute.',
  HINTS[2],
] as const;

/** Records of recorded markets, as `docs/records.md` has them: `true` of `n`, percent by chance. */
export const RECORDED = {
  until: '2026-11-27',
  records: [
    { kind: 'level', words: 'opening ranges', true: 2_627, n: 5_461, chance: 47 },
    { kind: 'level', words: 'prior-day levels', true: 929, n: 2_017, chance: 47 },
    { kind: 'level', words: 'VWAP', true: 3_107, n: 6_410, chance: 49 },
    { kind: 'pattern', words: 'inverted hammer', true: 619, n: 892, chance: 66 },
    { kind: 'playbook', words: 'ORB breakout long', true: 301, n: 799, chance: 35 },
    { kind: 'playbook', words: 'earnings drift long', true: 438, n: 941, chance: 45 },
  ],
} as const;

/** A tour of a session, one sentence a moment. */
export const TOUR = {
  open: 'The session opened at {price}{gap}. The page shows what was known at this minute, and nothing later.',
  break: 'Price broke {level}, {price}: the chart lights it, and the levels beside the chart say when.',
  test: 'Price tested {level}, {price}, and left it again: it held. Its label on the chart says how often its kind does.',
  flip: 'The scores turned {side}. Each line of the ledger is one reason; a click opens its numbers.',
  close: 'The close: {price}, {change}{move}. Drag the handle to look at any other minute.',
} as const;
