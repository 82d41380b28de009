import { NOISE_ATR } from '../../analysis/level-ladder.ts';
import { STRATEGIES } from '../../analysis/options/option-strategies.ts';
import { DAY_MS } from '../../base/dates.ts';
import type { NestedOf } from '../../blocks/block.ts';
import type { confluenceV5 } from '../../blocks/confluence-v5.ts';
import { blocks } from '../../blocks/index.ts';
import type { levelLadder } from '../../blocks/level-ladder.ts';
import type { LevelToday } from '../../blocks/level-today.ts';
import type { news } from '../../blocks/news.ts';
import type { options } from '../../blocks/options.ts';
import type { patterns } from '../../blocks/patterns.ts';
import type { priceEvents } from '../../blocks/price-events.ts';
import type { strategies } from '../../blocks/strategies.ts';
import type { thematicExposures } from '../../blocks/thematic-exposures.ts';
import { SCALAR_FIELDS, type ScalarField, scalarAt } from '../../derive/scalar-fields.ts';
import { type Fact, FactRegistry, type Line, type Origin } from './fact-registry.ts';
import { flipWords } from '../flip.ts';
import { inputWords, labelOf, nameInWords, wordTable } from '../glossary.ts';

/** A stock answer as it was parsed: every field of StockResult, with the lists that facts are taken from. */
export interface StockAnswer extends Readonly<Record<string, unknown>> {
  readonly patterns: NestedOf<typeof patterns>;
  readonly price_events: NestedOf<typeof priceEvents>;
  readonly news: NestedOf<typeof news>;
  readonly thematic_exposures: NestedOf<typeof thematicExposures>;
  readonly options: NestedOf<typeof options>;
  readonly strategies: readonly StrategySeen[] | null;
  readonly level_ladder: NestedOf<typeof levelLadder>;
  readonly confluence_v5: NestedOf<typeof confluenceV5>;
  readonly sessions_behind: number;
}

type Item<List extends keyof StockAnswer> =
  NonNullable<StockAnswer[List]> extends readonly (infer One)[] ? One : never;
type PatternSeen = Item<'patterns'>;
type EventSeen = Item<'price_events'>;
type ThemeSeen = Item<'thematic_exposures'>;
export type NewsSeen = NonNullable<StockAnswer['news']>['items'][number];
type Strategy = NonNullable<NestedOf<typeof strategies>>[number];
/** Stock-days stored by an older program have less. */
export type StrategySeen = Omit<Strategy, LaterField> & Partial<Pick<Strategy, LaterField>>;
type LaterField = 'opposed_by' | 'rationale' | 'rr_ratio' | 'r_now';
type Rung = NonNullable<StockAnswer['level_ladder']>['levels'][number];
type RungSeen = Omit<Rung, keyof LevelToday> & Partial<LevelToday>;

/** Texts that become facts although no schema closes their vocabulary; other words in their place are passed over. */
const KNOWN_WORDS: Readonly<Record<string, readonly string[]>> = {
  fundamental_grade: ['A', 'B', 'C', 'D', 'F'],
  'analyst.latest_grade_action': ['maintain', 'upgrade', 'downgrade', 'initiate'],
  'options.best_options_strategy': STRATEGIES.map(({ name }) => name),
  'analyst.consensus': ['Strong Buy', 'Buy', 'Hold', 'Sell', 'Strong Sell'],
};

/** The block of every field that is lifted to the top. */
const blockOfFlat = new Map(
  blocks.flatMap(({ name, flat }) => Object.keys(flat).map((field) => [field, name])),
);

/** Fields that say when others of the top were computed. */
const COMPUTED_AT: readonly (readonly [RegExp, string])[] = [
  [/^pulse_/, 'pulse_computed_at'],
  [/entry_/, 'entry_score_computed_at'],
  [/^(bullish|bearish|net|confluence|directional)_/, 'confluence_computed_at'],
];

/** What of a fact follows from its field alone. */
const SCALARS = SCALAR_FIELDS.map((field) => {
  const names = field.path.split('.');
  return {
    field,
    block: names[0]!,
    id: `stock.${field.path}`,
    label: labelOf(field.path),
    source: `block:${blockOfFlat.get(field.path) ?? names[0]!}`,
    computedAt:
      names.length > 1 ? null : (COMPUTED_AT.find(([pattern]) => pattern.test(field.path))?.[1] ?? null),
  };
});

/** How many of each list become facts: the nearest levels of a side, the newest patterns, events and items of news. */
const NEAREST = 3;
export const NEWEST = 10;
/** From here on a level has more than one family behind it. */
const STRONG = 0.55;
/** A close as far beyond a level has broken it, daily ATR; playbooks put their stops there. */
const BREAK_ATR = 0.25;
/** A confirmed pattern that has not reached its target in a month argues no longer. */
const PATTERN_DAYS = 30;
const DATE_LENGTH = 'YYYY-MM-DD'.length;

/**
 * Adds every scalar of a stock answer as `stock.PATH`, and what its lists say under ids of their own (`level`,
 * `pattern`, `event`, `news`, `theme`, `playbook`). Texts are added only where their vocabulary is closed or they are dates:
 * what a vendor wrote is no fact that a sentence may repeat.
 *
 * @param asOf the instant that the answer speaks for, RFC 3339
 */
export function addStock(registry: FactRegistry, answer: StockAnswer, asOf: string): void {
  for (const { field, block, id, label, source, computedAt } of SCALARS) {
    const value = scalarAt(answer, field.path);
    if (value === null || !isQuotable(field, value)) continue;
    const instant = instantOf(answer, block, computedAt) ?? asOf;
    registry.add(id, label, value, field.unit, { instant, source });
  }
  const of = (block: string): Origin => ({ instant: asOf, source: `block:${block}` });
  addMisses(registry, of('earnings'));
  addFlip(registry, answer, of('confluence_v5'));
  addGrade(registry, asOf, of('analyst'));
  addSlope(registry, of('momentum'));
  addLevels(registry, answer.level_ladder, of('level_ladder'));
  addPatterns(registry, answer.patterns ?? [], of('patterns'));
  addEvents(registry, answer.price_events ?? [], of('price_events'));
  addNews(registry, answer.news?.items ?? []);
  addThemes(registry, answer.thematic_exposures ?? [], of('thematic_exposures'));
  addStrategies(registry, answer.strategies ?? [], of('strategies'));
  addLedgers(registry, answer, of('confluence_v5'));
}

function isQuotable({ path, type, words }: ScalarField, value: number | string | boolean): boolean {
  if (type !== 'text') return true;
  return value !== '' && (words ?? KNOWN_WORDS[path] ?? []).includes(value as string);
}

function instantOf(answer: StockAnswer, block: string, computedAt: string | null): string | null {
  const nested = answer[block] as { computed_at?: unknown; refresh_timestamp?: unknown } | null | undefined;
  const instant =
    nested?.computed_at ?? nested?.refresh_timestamp ?? (computedAt === null ? null : answer[computedAt]);
  return typeof instant === 'string' ? instant : null;
}

/** A run of misses is counted up, as it is spoken of. */
function addMisses(registry: FactRegistry, origin: Origin): void {
  const beats = numberOf(registry, 'stock.earnings.consecutive_beats');
  if (beats === null || beats >= 0) return;
  registry.add('stock.earnings.consecutive_misses', 'consecutive misses', -beats, 'quarters', origin);
}

/** The nearest flip in words, and whose case it would weaken; not where rounding leaves nothing of it. */
function addFlip(registry: FactRegistry, answer: StockAnswer, origin: Origin): void {
  const flip = answer.confluence_v5?.nearest_flip;
  const of = 'stock.confluence_v5.nearest_flip';
  const isMove = numberOf(registry, `${of}.from`) !== numberOf(registry, `${of}.to`);
  if (flip == null || inputWords(flip.input) === null || !isMove) return;
  const isUp = LADDER.indexOf(flip.label_to) > LADDER.indexOf(flip.label_from);
  const { outcome, condition, state } = flipWords(flip);
  registry.addAll(of, origin, [
    ['weakens', 'side that the flip weakens', isUp === (flip.flips === 'bearish_tier') ? 'bull' : 'bear'],
    ['outcome', 'what the flip would make of it', outcome],
    ['condition', 'what has to move for the flip', condition],
    ['state', 'what it is before the flip', state],
  ]);
}

/** The labels of a bias and of tiers, the lower first. */
const LADDER = ['bearish', 'neutral', 'bullish', 'POOR', 'WEAK', 'MODERATE', 'GOOD', 'EXCELLENT'];

/** How old the newest grade is: a downgrade of last year changes no mind. */
function addGrade(registry: FactRegistry, asOf: string, origin: Origin): void {
  const date = textOf(registry, 'stock.analyst.latest_grade_date');
  if (date === null) return;
  const days = daysSince(date, asOf);
  registry.add('stock.analyst.latest_grade_age', 'days since the latest grade', days, 'days', origin);
}

const daysSince = (instant: string, asOf: string): number =>
  Math.floor((Date.parse(asOf) - Date.parse(instant)) / DAY_MS);

const MONTHS_A_YEAR = 12;

/** The slope as the return of a month: that of a year, continuously compounded, passes -100 %. */
function addSlope(registry: FactRegistry, origin: Origin): void {
  const slope = numberOf(registry, 'stock.momentum_slope_60d');
  if (slope === null) return;
  const month = 100 * Math.expm1(slope / 100 / MONTHS_A_YEAR);
  registry.add('stock.momentum_slope_60d.month', 'sixty-day trend line a month', month, 'percent', origin);
}

/**
 * The nearest levels of each side, `level.support.1` on, and the one that a case rests on, `level.support.strong`: the
 * nearest strong one beyond the zone that the price is in. Where the session has broken the three-day range no level is
 * strong: support that has been lost supports nothing.
 */
function addLevels(registry: FactRegistry, ladder: StockAnswer['level_ladder'], origin: Origin): void {
  const rungs: readonly RungSeen[] = ladder?.levels ?? [];
  const atr = ladder?.atr ?? Number.NaN;
  const lost = [
    ['stock.range_3d.break_low', 'stock.range_3d.low'],
    ['stock.range_3d.break_high', 'stock.range_3d.high'],
  ].flatMap(([isBroken, edge]) =>
    registry.get(isBroken!)?.value === true ? numberOf(registry, edge!)! : [],
  );
  for (const side of ['support', 'resistance'] as const) {
    const distance = ({ distance_atr }: RungSeen): number =>
      Math.abs(distance_atr ?? Number.POSITIVE_INFINITY);
    const near = rungs
      .filter((rung) => rung.side === side && rung.distance_atr !== null)
      .sort((one, other) => distance(one) - distance(other));
    const named = near.slice(0, NEAREST).map((rung, at): [string, RungSeen] => [`${at + 1}`, rung]);
    const strong = near.find(
      (rung) =>
        rung.strength >= STRONG &&
        distance(rung) >= NOISE_ATR &&
        lost.every((edge) => Math.abs(rung.price - edge) >= NOISE_ATR * atr),
    );
    if (strong !== undefined) {
      const broken = strong.price + (side === 'support' ? -BREAK_ATR : BREAK_ATR) * atr;
      registry.add(`level.${side}.strong.broken`, `close that breaks ${side}`, broken, 'USD', origin);
      named.push(['strong', strong]);
    }
    for (const [name, rung] of named) {
      registry.addAll(`level.${side}.${name}`, origin, [
        ['name', `kind of ${side}`, nameInWords(rung.name)],
        ['price', side, rung.price, 'USD'],
        ['away', `distance to ${side}`, distance(rung), 'ATR'],
        ['strength', `strength of ${side}`, rung.strength, 'fraction'],
        ...stateLines(side, rung),
      ]);
    }
  }
}

const stateLines = (of: string, { state, touched_at, decided_at }: RungSeen): readonly Line[] => [
  ['state', `what became of ${of} in the session`, state],
  ['touched_at', `first touch of ${of}`, touched_at],
  ['decided_at', `break or newest hold of ${of}`, decided_at],
];

/**
 * What became of every level in the session, `level.pivot_r1.state` on, which a text is compared with; not of a name that
 * several levels have.
 */
export function levelStates({ level_ladder: ladder }: StockAnswer, asOf: string): readonly Fact[] {
  const registry = new FactRegistry();
  const rungs: readonly RungSeen[] = ladder?.levels ?? [];
  for (const [name, [rung, ...others]] of Map.groupBy(rungs, (each) => each.name)) {
    if (others.length > 0) continue;
    const of = nameInWords(name);
    registry.addAll(`level.${name}`, { instant: asOf, source: 'block:level_ladder' }, [
      ...stateLines(of, rung!),
      ['holds', `holds of ${of} in the session`, rung!.holds, 'count'],
    ]);
  }
  return registry.all();
}

/** The newest patterns, `pattern.1` on, and of each side the recent one that its case rests on, `pattern.bullish`. */
function addPatterns(registry: FactRegistry, patterns: readonly PatternSeen[], origin: Origin): void {
  patterns.slice(0, NEWEST).forEach((pattern, at) => {
    addPattern(registry, `pattern.${at + 1}`, pattern, origin);
  });
  const [bullish, bearish] = (['bullish', 'bearish'] as const).map((side) =>
    patterns
      .filter(({ direction, status }) => direction === side && status === 'confirmed')
      .filter(({ confirmed_at: at }) => at !== null && daysSince(at, origin.instant) <= PATTERN_DAYS)
      .filter(({ target, target_reached_at }) => target !== null && target_reached_at === null)
      .sort((one, other) => weightOf(other) - weightOf(one))
      .at(0),
  );
  for (const [side, best, other] of [
    ['bullish', bullish, bearish],
    ['bearish', bearish, bullish],
  ] as const) {
    if (best !== undefined && !isOverruled(best, other))
      addPattern(registry, `pattern.${side}`, best, origin);
  }
}

/** Of two chart patterns with opposite targets the one that was confirmed later counts, and of two of one close neither. */
const isOverruled = (pattern: PatternSeen, other: PatternSeen | undefined): boolean =>
  pattern.family === 'chart' && other?.family === 'chart' && pattern.confirmed_at! <= other.confirmed_at!;

/** Chart patterns of weeks rank before candlesticks. */
const weightOf = ({ family, confidence }: PatternSeen): number => (family === 'chart' ? 1 : 0) + confidence;

function addPattern(registry: FactRegistry, id: string, pattern: PatternSeen, origin: Origin): void {
  const of = { ...origin, instant: pattern.confirmed_at ?? origin.instant };
  registry.addAll(id, of, [
    ['name', 'pattern', nameInWords(pattern.type)],
    ['confirmed_on', 'confirmation of the pattern', pattern.confirmed_at?.slice(0, DATE_LENGTH)],
    ['family', 'family of the pattern', pattern.family],
    ['status', 'status of the pattern', pattern.status],
    ['direction', 'direction of the pattern', pattern.direction],
    ['trigger', 'trigger of the pattern', pattern.trigger, 'USD'],
    ['target', 'target of the pattern', pattern.target, 'USD'],
    ['invalidation', 'invalidation of the pattern', pattern.invalidation_price, 'USD'],
    ['confidence', 'confidence in the pattern', pattern.confidence, 'fraction'],
  ]);
}

/** Kinds of price event in words, those that argue for a side. */
const EVENT_WORDS = wordTable(`
gap_{up|down} : opening gap {up|down}
breakout_{20|55|252}d_high : close above the highest high of {twenty sessions|fifty-five sessions|a year}
breakdown_{20|55|252}d_low : close below the lowest low of {twenty sessions|fifty-five sessions|a year}
close_{above|below}_sma_50 : close back {above|below} the fifty-session average
close_{above|below}_sma_200 : close back {above|below} the two-hundred-session average
{golden|death}_cross : {golden|death} cross
`);

/** Events of one kind, of which a later one takes an earlier one back. */
const KINDS = [/^gap_/, /^break/, /sma_50$/, /sma_200$/, /_cross$/];

/** The newest events, `event.1` on, and of each side the newest that still argues for it, `event.bullish`. */
function addEvents(registry: FactRegistry, events: readonly EventSeen[], origin: Origin): void {
  events.slice(0, NEWEST).forEach((event, at) => {
    addEvent(registry, `event.${at + 1}`, event, origin);
  });
  const valid = events.filter(
    (event, at) =>
      event.type in EVENT_WORDS &&
      event.filled !== true &&
      !isGivenBack(event, numberOf(registry, 'stock.last_price')) &&
      !events.slice(0, at).some((later) => cancels(later, event)),
  );
  for (const side of ['bullish', 'bearish'] as const) {
    const newest = valid.find(({ direction }) => direction === side);
    if (newest !== undefined) addEvent(registry, `event.${side}`, newest, origin);
  }
}

/** Whether the price is back on the other side of what it broke; the level of a cross is no price that it broke. */
const isGivenBack = ({ type, direction, level }: EventSeen, price: number | null): boolean =>
  level !== null &&
  price !== null &&
  !type.endsWith('_cross') &&
  (direction === 'bullish' ? price < level : price > level);

function cancels(later: EventSeen, event: EventSeen): boolean {
  const kind = KINDS.find((pattern) => pattern.test(event.type));
  return later.direction !== event.direction && kind !== undefined && kind.test(later.type);
}

function addEvent(registry: FactRegistry, id: string, event: EventSeen, origin: Origin): void {
  registry.addAll(id, origin, [
    ['name', 'price event', EVENT_WORDS[event.type] ?? nameInWords(event.type)],
    ['date', 'date of the price event', event.date],
    ['price', 'price of the event', event.price, 'USD'],
    ['level', 'level of the event', event.level, 'USD'],
    ['size_pct', 'size of the event', event.size_pct, 'percent'],
    ['volume_ratio', 'volume of the event against its mean', event.volume_ratio],
  ]);
}

/** When the newest items were published and what their tone was; what they say is not ours to state. */
function addNews(registry: FactRegistry, items: readonly NewsSeen[]): void {
  items.slice(0, NEWEST).forEach((item, at) => {
    addNewsItem(registry, `news.${at + 1}`, item);
  });
}

/** @param id under which the facts of the item are added */
export function addNewsItem(
  registry: FactRegistry,
  id: string,
  { published_at: instant, sentiment_score: tone }: Pick<NewsSeen, 'published_at' | 'sentiment_score'>,
): void {
  registry.addAll(id, { instant, source: 'reported:news' }, [
    ['published_at', 'publication of the news', instant],
    ['sentiment_score', 'tone of the news', tone],
  ]);
}

/** The strongest exposure that gains with its theme, and the strongest that loses. */
function addThemes(registry: FactRegistry, themes: readonly ThemeSeen[], origin: Origin): void {
  for (const side of ['positive', 'negative'] as const) {
    const magnitude = themes.find(({ direction }) => direction === side)?.magnitude;
    registry.add(`theme.${side}.magnitude`, `${side} theme exposure`, magnitude, 'fraction', origin);
  }
}

function addStrategies(registry: FactRegistry, strategies: readonly StrategySeen[], origin: Origin): void {
  for (const { strategy, match_score: score, trigger, stop, target, rr_ratio, r_now } of strategies) {
    const name = nameInWords(strategy);
    registry.addAll(`playbook.${strategy}`, origin, [
      ['match_score', `match of the playbook ${name}`, score, 'percent'],
      ['trigger', `trigger of the playbook ${name}`, trigger, 'USD'],
      ['stop', `stop of the playbook ${name}`, stop, 'USD'],
      ['target', `target of the playbook ${name}`, target, 'USD'],
      ['rr_ratio', `reward over risk of the playbook ${name}`, rr_ratio],
      ['r_now', `reward over risk of the playbook ${name} from the last price`, r_now],
    ]);
  }
}

/** What each component adds to the canonical scores, `ledger.bull.proximity`. */
function addLedgers(registry: FactRegistry, { confluence_v5: scores }: StockAnswer, origin: Origin): void {
  for (const side of ['bull', 'bear'] as const) {
    for (const { component, contribution, status } of scores?.[`${side}_ledger`] ?? []) {
      if (status !== 'scored') continue;
      const label = `points of ${nameInWords(component)} for the ${side}`;
      registry.add(`ledger.${side}.${component}`, label, contribution, 'points', origin);
    }
  }
}

function numberOf(registry: FactRegistry, id: string): number | null {
  const value = registry.get(id)?.value;
  return typeof value === 'number' ? value : null;
}

function textOf(registry: FactRegistry, id: string): string | null {
  const value = registry.get(id)?.value;
  return typeof value === 'string' ? value : null;
}
