import { filled } from './conditions.ts';

/**
 * What gates, options and playbooks say to a trader, each sentence once; `{figure}` is quoted. A sentence of a rule is in
 * the rule: `market-regime.ts`, `src/texts/debate`. `npm run docs:sentences` lists them all with an example of each.
 */
export const SENTENCES = {
  // The gates of an entry.
  'entry.liquid': '{shares} shares a day: liquid enough.',
  'entry.illiquid': '{shares} shares a day; an entry takes {least}.',
  'entry.volume_unknown': 'Under 30 sessions of volume.',
  'entry.trading': 'No trading halt.',
  'entry.halted': 'Trading is halted.',
  'entry.in_session': '{since} min after the open, {left} min before the close.',
  'entry.too_early': '{since} min after the open; entries begin at {first}.',
  'entry.too_late': '{left} min before the close; entries end at {last}.',
  'entry.closed': 'The regular session is over.',
  'entry.index_falls': 'The index is down {move} on the day.',
  'entry.stock_falls': 'Down {move} on the day: too fast a fall to enter.',
  'entry.day_down': 'Down {move} on the day.',
  'entry.day_up': 'Up {move} on the day.',
  'entry.no_close': 'No close before to measure the day from.',
  'entry.fresh': 'Newest bar {age} min old.',
  'entry.stale': 'No bar for {age} min: the feed may have stopped.',
  'entry.quality': 'Beta, fundamentals and earnings pass.',
  'entry.poor_quality': 'Beta, fundamentals or earnings fail their gate.',
  'entry.quality_unknown': 'Too little is known of beta, fundamentals and earnings.',
  // The gate of beta.
  'beta.free': 'Beta {beta}: with the VIX at {vix} there is no limit.',
  'beta.within': 'Beta {beta} is within the limit of {limit} for a VIX of {vix}.',
  'beta.above': 'Beta {beta} is above the limit of {limit} for a VIX of {vix}.',
  'beta.unknown': 'Beta is not known.',
  'beta.no_vix': 'The VIX is not known.',
  'beta.of_index': 'An index has no beta.',
  // What an expiration pays for, and what its premium asks.
  'edge.ratio':
    'Expected move {travel} (ATR {atr}, {sessions} sessions) against {implied} priced in (IV {iv}, {days} days) and {decay} of time decay: ratio {ratio}.',
  'edge.cut': 'The ratio counts {lived} of {holding} sessions of the trade.',
  'edge.left': '{left} sessions left.',
  'edge.left_to_open': '{left} sessions left, then settlement at the open.',
  'edge.no_atr': 'Expected move and recommendation need a daily ATR.',
  'edge.no_iv': 'No IV at the money to compare the expected move with.',
  'edge.best': 'Recommended: the best score of all that outlive the trade.',
  'edge.best_of_short': 'Recommended: the best score, though none outlives the trade.',
  'edge.unranked': 'Too little is known to rank it.',
  'edge.ends_early': 'It expires before the trade ends, and others do not.',
  'edge.behind': 'Scores {points} points less than {winner}, mostly here: {own} against {best}.',
  // Whether its volatility is cheap, and what happens before it expires.
  'iv.at_the_money': 'IV {iv} at the money.',
  'iv.none': 'No IV is quoted at the money.',
  'iv.percentile': 'The 30-day IV is at percentile {percentile} of its year.',
  'iv.realised': 'No year of IV to compare; realised volatility {realised}.',
  'iv.month': '30-day IV {iv}.',
  'iv.wing_dear': '25-delta {wing} cost {premium} more IV.',
  'iv.wing_cheap': '25-delta {wing} cost {premium} less IV.',
  'iv.events': 'Before it expires: {events}.',
  'iv.no_event': 'No known event before it expires.',
  // Where dealers stand.
  'dealers.long': 'Dealers are long {gamma} of gamma per 1 % move, {share} of the gross.',
  'dealers.short': 'Dealers are short {gamma} of gamma per 1 % move, {share} of the gross.',
  'dealers.above_flip': 'Price {price} is above the gamma flip {flip}.',
  'dealers.below_flip': 'Price {price} is below the gamma flip {flip}.',
  'dealers.no_flip': 'No gamma flip.',
  'dealers.wall': 'The {side} wall is {wall}, the target {target}.',
  'dealers.no_wall': 'No {side} wall.',
  'dealers.coverage': 'Greeks cover {coverage} of the open interest.',
  'dealers.none': 'No open interest with greeks.',
  'dealers.unknown': 'Open interest is not known well enough to say where dealers stand.',
  'dealers.assumption': 'Dealers are taken to be long every call and short every put; real books differ.',
  // Whether it can be traded.
  'liquidity.quotes': 'Near the money {used} of {contracts} contracts are quoted, median spread {spread}.',
  'liquidity.interest': 'Open interest {interest}, volume {volume}.',
  'liquidity.barred': 'Too illiquid: {reasons}.',
  // What a chain lacks.
  'chain.none': 'No option chain yet.',
  'chain.no_price': 'The chain has no price of the underlying.',
  'chain.unpriced': 'No contract of the chain can be priced.',
  'chain.rate': 'A rate of {rate} is assumed where quotes imply none.',
  'chain.settlement': 'Settlement at the open is not known of these, which count to the close: {contracts}.',
  'chain.no_outside':
    '{strikes} strikes have no IV: their out-of-the-money side has no usable quote. Sums take the smile there.',
  'chain.open_interest': 'Open interest is not known of {contracts}.',
  'chain.needs_open_interest': 'What needs that of the {sides} is left out.',
  'chain.open_interest_left_out': 'Sums are of the contracts that state it.',
  'chain.left_out': '{count} contracts were left out: {reasons}.',
  'chain.expired': 'All contracts of the chain have expired.',
  'chain.no_atr': 'No daily ATR, so no expiration is recommended.',
  'chain.none_passes': 'No expiration is liquid and known well enough to be recommended.',
  'chain.by_realised': 'Under 60 days of IV: realised volatility is the yardstick.',
  'chain.no_yardstick': 'Under 60 days of IV: whether it is cheap is not known.',
  // Why there is no divergence from peers.
  'peers.running': 'Divergences are measured once the session has closed.',
  'peers.unmeasured': 'The peers of this session are still to be measured.',
  'peers.none': 'Too few returns, no return on this session, or no peers.',
  // Why a playbook matches.
  'playbook.all_met': 'All {count} conditions hold: {figures}.',
  'playbook.some_met': '{met} of {count} conditions hold: {figures}.',
  'playbook.opposed': 'Conflicts with {others}.',
} as const;

type FiguresOf<Sentence> = Sentence extends `${string}{${infer Figure}}${infer Rest}`
  ? Figure | FiguresOf<Rest>
  : never;

/** Says the sentences of a table by name, each with its figures. */
export const sayOf =
  <const Sentences extends Readonly<Record<string, string>>>(sentences: Sentences) =>
  <Name extends keyof Sentences & string>(
    name: Name,
    ...[figures]: [FiguresOf<Sentences[Name]>] extends [never]
      ? []
      : [figures: Readonly<Record<FiguresOf<Sentences[Name]>, string | number>>]
  ): string => {
    const values: Readonly<Record<string, string | number>> = figures ?? {};
    return filled(sentences[name]!, (figure) => values[figure]);
  };

export const say = sayOf(SENTENCES);

/** What the name of an input ends in, as the unit of its value. */
const UNITS: Readonly<Record<string, string>> = { atr: 'ATR', pct: '%', minutes: 'min', days: 'days' };
const CAPITALS = /\b(adx|atr|cvd|ema\d*|ib|iv|macd|orb|poc|rsi|sma\d*|vah|val|vcp|vix|vwap)\b/g;

const unitOf = (name: string): string | undefined =>
  name.includes('_') ? UNITS[name.slice(name.lastIndexOf('_') + 1)] : undefined;

/** Names that their parts alone would not explain. */
const WHOLE: Readonly<Record<string, string>> = {
  percent_b: '%B',
  rel_vol_5d: 'five-day relative volume',
  momentum_slope_60d: 'sixty-day slope',
  pricing_edge_bull: 'pricing edge of calls',
  pricing_edge_bear: 'pricing edge of puts',
  range_3d_high: 'three-day high',
  range_3d_low: 'three-day low',
};

/** An input of a score or a playbook in words: `VWAP` of `vwap_atr`. */
export function wordsOf(name: string): string {
  const whole = WHOLE[name];
  if (whole !== undefined) return whole;
  const bare = unitOf(name) === undefined ? name : name.slice(0, name.lastIndexOf('_'));
  return bare
    .replace(/^(sma|ema)_(?=\d)/, '$1')
    .replaceAll('_', ' ')
    .replace(CAPITALS, (word) => word.toUpperCase());
}

/** Inputs that are a price or a difference of prices. */
const IS_PRICE =
  /^(?:price|vwap(?:_30m_ago)?|atr|support|resistance|(?:session_)?(?:sma|ema)_\d+(?:_10m_ago)?|(?:orb|ib|session|range_3d|support_zone|resistance_zone)_(?:high|low|range))$/;

/** As a chart would show it: a price to the cent, below a dollar to the hundredth of one, else two decimals at most. */
const figureOf = (name: string, value: number): string => {
  if (IS_PRICE.test(name)) return value.toFixed(Math.abs(value) < 1 ? 4 : 2);
  return `${Number(value.toFixed(Math.abs(value) >= 100 ? 1 : 2))}`;
};

const FLAGS: ReadonlySet<string> = new Set(['narrow_session']);

/** The same with its value: `VWAP 0.26 ATR`, `price 76.33`. */
export function inputInWords(name: string, value: number): string {
  // What is or is not has no figure.
  if (FLAGS.has(name)) return value === 1 ? wordsOf(name) : `no ${wordsOf(name)}`;
  const unit = unitOf(name);
  const figure = figureOf(name, value);
  return `${wordsOf(name)} ${figure}${unit === undefined ? '' : ` ${unit}`}`;
}
