import { sayOf } from '../../analysis/sentences.ts';

/** What a plan says, each sentence once. */
export const PLAN_SENTENCES = {
  // Why a stock stands where it stands.
  'plan.halted': 'Trading is halted.',
  'plan.results_today': 'Results are due on {date}, the day of the plan.',
  'plan.gap_beyond': 'The gap of {gap} is beyond the expected move of {move}.',
  'plan.gap_wide': 'The gap of {gap} is {share} of the expected move.',
  'plan.side_changed': 'The bias turned from {from} to {to} since the close of {since}.',
  'plan.tier_changed': 'The {side} side turned from {from} to {to} since the close of {since}.',
  'plan.flip_near': 'The gamma flip at {price} is {away}.',
  'plan.setup_near': '{name}: the trigger at {price} is {away}.',
  'plan.level_near': '{level} at {price}, where {families} kinds of levels meet, is {away}.',
  'plan.pattern_confirmed': 'A {pattern} was confirmed at the close of {date}.',
  'plan.news': '{count} news since the close of {since}.',
  // What would change the view.
  'plan.turn_score': 'All else equal, {outcome} if {condition} {to}; it is {from}.',
  'plan.turn_pattern': 'The {pattern} fails on a close {where} {price}.',
  'plan.turn_gamma': 'Dealers turn {regime} gamma {where} {price}.',
  'plan.turn_average': 'It would lose its {sessions}-day average by a close {where} {price}.',
  'plan.turn_average_back': 'It would win back its {sessions}-day average by a close {where} {price}.',
  // What is due.
  'plan.due_early_close': 'Trading ends at {time} ET.',
  'plan.due_monthly': 'Monthly options expire.',
  'plan.due_results_of': '{count} companies report, the largest {symbols}.',
  // What is not there, and why.
  'plan.no_price': 'No bar of {symbol} since {date}.',
  'plan.no_print': 'No print before the open yet: figures are of the close of {date}.',
  'plan.no_atr': 'Too few daily bars for an ATR.',
  'plan.no_chain': 'No option chain of this session or the one before.',
  'plan.no_levels': 'No level is known.',
  // What became of it.
  'review.levels': '{levels} levels: {touched} touched, {held} held ({chance}).',
  'review.chance': 'chance {chance}',
  'review.no_chance': 'chance not known: too few are counted',
  'review.moves': 'Expected move kept by {kept} of {moves}.',
  'review.setups':
    '{triggered} of {setups} setups triggered: {reached} reached the target, {stopped} stopped, {r} R.',
  'review.so_far': 'So far: {says}',
  'review.no_minutes': 'No minutes of this session are known.',
  'review.no_plan': 'No plan of this stock: {reason}',
  'review.no_alerts': 'No alert of yours fired on these stocks.',
  'plan.market_scope': 'Your token does not cover the market.',
} as const;

export const say = sayOf(PLAN_SENTENCES);

const WORDS_IN_CAPITALS = /\b(atr|cpr|ema|ib|orb|poc|sma|vah|val|vwap|vix)\b/g;

/** `call wall` of `call_wall`, `VWAP` of `vwap`. */
export const inWords = (name: string): string =>
  name.replaceAll('_', ' ').replace(WORDS_IN_CAPITALS, (word) => word.toUpperCase());

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Nov 25` of 2026-11-25. */
export const dayText = (date: string): string =>
  `${MONTHS[Number(date.slice(5, 7)) - 1]} ${Number(date.slice(8, 10))}`;

/** A price as a chart shows it. */
export const priceText = (price: number): string => price.toFixed(Math.abs(price) < 1 ? 4 : 2);

export const signed = (value: number, places: number): string => {
  const text = Math.abs(value).toFixed(places);
  return Number(text) === 0 ? text : `${value < 0 ? '-' : '+'}${text}`;
};

export const stockCount = (count: number): string => `${count} stock${count === 1 ? '' : 's'}`;

/** What a trader calls a level: `PDH`, `R1`, `SMA 50`; others are called by their words. */
const LABELS: readonly (readonly [name: RegExp, before: string])[] = [
  [/^pd([hlc])$/, 'PD'],
  [/^pivot_(pp|[rs]\d)$/, ''],
  [/^prior_week_([hl]).*$/, 'PW'],
  [/^prior_month_([hl]).*$/, 'PM'],
  [/^prior_(poc|vah|val|hvn|lvn)$/, 'p'],
  [/^developing_(poc|vah|val|hvn|lvn)$/, ''],
];
const SAYS: readonly (readonly [name: RegExp, label: string])[] = [
  [/^cpr_tc$/, 'CPR top'],
  [/^cpr_bc$/, 'CPR bottom'],
  [/^overnight_(high|low)$/, 'ON $1'],
  [/^range_3d_(high|low)$/, '3D $1'],
  [/^ib_1_5x_(high|low)$/, 'IB 1.5x $1'],
  [/^orb_(\d+)m_(high|low)$/, 'ORB $1 $2'],
];

export function labelOf(name: string): string {
  for (const [pattern, before] of LABELS) {
    const short = pattern.exec(name)?.[1];
    if (short !== undefined) return `${before}${short.toUpperCase()}`;
  }
  const said = SAYS.find(([pattern]) => pattern.test(name));
  return said === undefined ? inWords(name) : name.replace(...said);
}
