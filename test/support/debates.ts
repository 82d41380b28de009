import { amount, type Condition, verdict } from '../../src/analysis/conditions.ts';
import { STRATEGIES } from '../../src/analysis/options/option-strategies.ts';
import { CHANGES, type Debate, RULES } from '../../src/texts/debate/index.ts';
import { type DebateRule, pointOf } from '../../src/texts/debate/rule.ts';
import { FactRegistry } from '../../src/texts/facts/fact-registry.ts';
import { RICH_AS_OF, richRegistry } from './chat-facts.ts';

/**
 * When two sentences of one debate contradict (docs/chat.md): they make opposite claims about one measure, name one
 * price support and lost, or call options cheap that the best strategy sells.
 */

/** Measures with the rules that claim one thing of them, and those that claim the opposite. */
const OPPOSITES: readonly (readonly [measure: string, one: RegExp, other: RegExp])[] = (
  `
  price and its 50-day average | trend.(above_long_averages|recovering|under_long_average) | trend.(below_long_averages|breaking|long_average_holds)
  price and its 200-day average | trend.(above_long_averages|long_average_holds) change.bull.long_average | trend.(below_long_averages|under_long_average) change.bear.long_average
  trend | trend.stacked_up regime.up | trend.stacked_down regime.down
  ADX | trend.strong_(up|down) | trend.no_direction
  EMA 9 and EMA 20 | trend.(strong|stacked)_up | trend.(strong|stacked)_down
  trend line | trend.slope_up | trend.slope_down
  MACD | momentum.macd_up | momentum.macd_(down|fades)
  blended return | momentum.(strong|healthy|fading|exhausted) | momentum.weak
  RSI | momentum.(buyers_lead|overbought) | momentum.(sellers_lead|oversold)
  stretch | momentum.stretched_up | momentum.stretched_down
  upward momentum | momentum.healthy | momentum.(fading|exhausted)
  CVD | flow.(accumulating|bullish_divergence) | flow.(distributing|bearish_divergence)
  who is aggressive | flow.(accumulating|buyers_pay) | flow.(distributing|sellers_hit)
  VWAP | flow.above_vwap | flow.below_vwap
  change on the day | flow.(strong_session|advance_without_volume) | flow.(weak_session|quiet_pullback)
  volume of the week | flow.(volume_confirms_advance|distribution) | flow.(quiet_pullback|advance_without_volume)
  volume of an advance | flow.volume_confirms_advance | flow.distribution
  where price is | levels.(at_support|room_above) | levels.(at_resistance|air_below)
  three-day high | levels.broke_high | change.bear.high
  opening range | levels.opening_range_up | levels.opening_range_down
  chart pattern | patterns.bullish_chart change.bull.pattern | patterns.bearish_chart change.bear.pattern
  dealer gamma | options.(above_flip|put_wall_below|call_wall_above) change.bull.gamma | options.(below_flip|short_gamma) change.bear.gamma
  put wall | options.put_wall_below | options.put_wall_lost
  put/call ratio | options.calls_traded | options.puts_traded
  IV skew | options.calls_dear | options.puts_dear
  cost of options | options.(volatility_cheap|calls_underpriced|puts_underpriced) | options.volatility_dear
  cheap options | options.calls_underpriced | options.puts_underpriced
  growth | fundamentals.growing | fundamentals.(shrinking|earnings_fall)
  PEG | fundamentals.cheap_for_growth | fundamentals.dear_for_growth
  P/E | fundamentals.cheap | fundamentals.dear
  margin | fundamentals.profitable | fundamentals.losing
  debt | fundamentals.little_debt | fundamentals.indebted
  fundamental health | fundamentals.sound | fundamentals.unsound
  earnings surprise | earnings.(beats|blowout) | earnings.misses
  record of surprises | earnings.beats | earnings.unsteady
  target | analysts.upside | analysts.little_upside
  recommendation | analysts.recommend | analysts.doubt
  grade | analysts.upgraded | analysts.downgraded
  insiders | insiders.buy | insiders.sell
  news | news.good(_burst)? | news.bad(_burst)?
  peers | peers.(stronger|leads) | peers.(weaker|lags)
  sector | sector.leads | sector.trails
  market index | market.index_up | market.index_(down|slips)
  breadth | market.broad | market.narrow
  VIX | market.calm | market.(afraid|panic) change.bear.calm
  new highs and lows | market.new_highs | market.new_lows
  score | scores.bullish | scores.bearish
  pulse | scores.pulse_long | scores.pulse_short
  conviction | scores.conviction_rises | scores.conviction_falls
  entry score | scores.entry_long | scores.entry_short
  similar days | analogs.rose | analogs.fell
`
    .trim()
    .split('\n')
    .map((line) => line.trim().split(' | ')) as [string, string, string][]
).map(([measure, one, other]) => [measure, rulesOf(one), rulesOf(other)]);

function rulesOf(names: string): RegExp {
  return new RegExp(`^(?:${names.replaceAll('.', '\\.').replaceAll(/\s+/g, '|')})$`);
}

/** Rules of both sides that may speak beside their mirror: what they tell of has both. */
const BESIDE =
  /^(?:change\.|patterns\.\w+_(?:event|candle)|levels\.broke_|themes\.|options\.(?:put|call)_wall_|options\.put_wall_lost)/;

/** Every rule is in the table, may speak beside its opposite, or has none. */
export const unplaced = (): string[] => {
  const placed = (name: string): boolean =>
    BESIDE.test(name) || OPPOSITES.some(([, one, other]) => one.test(name) || other.test(name));
  const ALONE =
    /^(?:fundamentals\.(?:dear_for_sales|moves_with_market)|earnings\.ahead|market\.complacent|gates\.beta)$/;
  return [...RULES, ...CHANGES].map(({ name }) => name).filter((name) => !placed(name) && !ALONE.test(name));
};

const SOLD: ReadonlySet<unknown> = new Set(
  STRATEGIES.filter(({ premium }) => premium < 0).map(({ name }) => name),
);
/** Prices no further apart are one zone, daily ATR. */
const ZONE_ATR = 0.1;
/** From a level to the close that breaks it, daily ATR. */
const BREAK_ATR = 0.25;

type Facts = ReadonlyMap<string, unknown>;

/** What contradicts in a debate, in words; empty where nothing does. */
export function contradictionsOf({ bull, bear, changes }: Debate, facts: Facts): string[] {
  const points = [...bull, ...bear, ...changes.bull, ...changes.bear];
  const said = (of: RegExp): string | undefined => points.find(({ rule }) => of.test(rule))?.text;
  const pairs = OPPOSITES.flatMap(([measure, one, other]) => {
    const [claim, counter] = [said(one), said(other)];
    return claim === undefined || counter === undefined ? [] : [`${measure}: ${claim} / ${counter}`];
  });
  const cheap = said(/^options\.(?:volatility_cheap|calls_underpriced|puts_underpriced)$/);
  const best = facts.get('stock.options.best_options_strategy');
  const sold = cheap !== undefined && SOLD.has(best) ? [`${cheap} / ${String(best)}`] : [];
  return [...pairs, ...sold, ...levelFaults(points, facts)];
}

function levelFaults(points: Debate['bull'], facts: Facts): string[] {
  const price = (id: string): number => Number(facts.get(id) ?? Number.NaN);
  const isQuoted = (id: string): boolean => points.some((point) => point.facts.includes(id));
  const [support, resistance] = (['support', 'resistance'] as const).map((side) => {
    const id = `level.${side}.strong`;
    return isQuoted(`${id}.price`) ? { price: price(`${id}.price`), broken: price(`${id}.broken`) } : null;
  });
  const known = [support, resistance].filter((level) => level != null);
  const lost = [
    ['levels.broke_high', 'stock.range_3d.high'],
    ['levels.broke_low', 'stock.range_3d.low'],
  ].flatMap(([rule, edge]) => (points.some((point) => point.rule === rule) ? [price(edge!)] : []));
  const cents = 0.011;
  return known.flatMap((level) => {
    const zone = (ZONE_ATR / BREAK_ATR) * Math.abs(level.broken - level.price) - cents;
    const others = [...lost, ...known.filter((other) => other !== level).map((other) => other.price)];
    return others
      .filter((other) => Math.abs(other - level.price) < zone)
      .map((other) => `level ${level.price} and ${other} are one zone`);
  });
}

/** What is not known of the rich stock, or not as bad as rules ask without a condition of their own. */
const MADE: readonly (readonly [id: string, value: number])[] = [
  ['stock.momentum_health_v5.score', 18.4],
  ['exposure.gamma_flip', 88.5],
  ['stock.fundamental.beta', 2.16],
  ['stock.earnings.surprise_pct', 24.1],
  ['market.vix.level', 33.4],
];

/** The sentence of a rule on facts that are made to meet its condition. */
export function constructed(rule: DebateRule): string {
  const rich = richRegistry().all();
  const units = new Map(rich.map(({ id, unit }) => [id, unit]));
  const values = new Map<string, Value>([...rich.map(({ id, value }) => [id, value] as const), ...MADE]);
  meet(rule.when, values);
  const registry = new FactRegistry();
  for (const [id, value] of values) {
    if (registry.get(id) !== null) continue;
    registry.add(id, id, value, units.get(id) ?? null, { instant: RICH_AS_OF, source: 'constructed' });
  }
  const point = pointOf(rule, registry);
  if (point === null) throw new Error(`no example of ${rule.name} can be constructed`);
  return point.text;
}

type Value = number | string | boolean;

/** Changes values until a condition holds for them. */
function meet(when: Condition, values: Map<string, Value>): void {
  if (verdict(when, (id) => values.get(id)) === 'met' || 'known' in when) return;
  if ('all' in when) for (const each of when.all) meet(each, values);
  else if ('any' in when) meet(when.any[0]!, values);
  else if (when[1] === 'is') values.set(when[0], when[2]);
  else {
    const [left, by, right] = when;
    // Of two facts the second moves, so that a first may be between others.
    const [fixed, moved, sign] = typeof right === 'string' ? [left, right, -1] : [right, left, 1];
    const bound = amount(fixed, (id) => values.get(id));
    const step = sign * (by.startsWith('<') ? -1 : 1) * (0.3 * Math.abs(bound) + 0.01);
    values.set(String(moved), Number((bound + step).toFixed(2)));
  }
}
