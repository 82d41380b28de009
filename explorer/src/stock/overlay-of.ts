import type { Exposure, LiveFeed, Pattern, Stock } from '../shared/api/queries.ts';
import { patternId, setupId } from '../shared/causes.ts';
import { chainAge, countedFrom } from '../shared/chain-age.ts';
import { indexAt } from '../shared/chart/overlay.ts';
import type {
  DrawnEvent,
  DrawnPattern,
  DrawnProfile,
  DrawnSetup,
  LevelGroup,
  OverlayContent,
} from '../shared/chart/overlay-content.ts';
import { chartTime, startOfDate } from '../shared/chart/wall-clock.ts';
import { MINUTE_MS } from '../shared/instant.ts';
import { inWords, levelsOf, optionLevels } from '../shared/levels.ts';
import type { Layer } from './layers.ts';

/** What a stock's answer puts over its candles. */

interface Sources {
  readonly stock: Stock;
  readonly exposure: Exposure | undefined;
  readonly layers: ReadonlySet<Layer>;
  readonly groups: ReadonlySet<LevelGroup>;
  readonly isIntraday: boolean;
  /** Chart times of the bars. */
  readonly times: readonly number[];
  readonly earlyCloses: readonly number[];
  readonly holes: Readonly<LiveFeed['holes']>;
  readonly selected: ReadonlySet<string>;
  /** Instants at which the alert that is being made would have fired. */
  readonly marks?: readonly string[];
}

/** Levels of one session lie so close on bars of days that they would be one block: there only the selected are drawn. */
const OF_A_SESSION: ReadonlySet<LevelGroup> = new Set(['opening', 'vwap', 'value']);

export function overlayOf({
  stock,
  exposure,
  layers,
  groups,
  isIntraday,
  times,
  earlyCloses,
  holes,
  selected,
  marks = [],
}: Sources): OverlayContent {
  const known = layers.has('gamma') && exposure !== undefined ? countedFrom(exposure, stock) : undefined;
  return {
    isIntraday,
    earlyCloses,
    holes: isIntraday
      ? holes.map(({ from, to }) => ({ from: chartTime(Date.parse(from)), to: chartTime(Date.parse(to)) }))
      : [],
    levels: layers.has('levels')
      ? [
          ...levelsOf(stock, groups),
          ...(groups.has('option') ? optionLevels(known).filter(({ of }) => of === null) : []),
        ].filter(({ group, name }) => isIntraday || !OF_A_SESSION.has(group) || selected.has(name))
      : [],
    price: stock.last_price ?? null,
    profiles: layers.has('profile') && isIntraday ? profilesOf(stock) : [],
    gamma: known === undefined ? null : { ...known, age: chainAge(known) },
    expected: layers.has('gamma') && isIntraday ? expectedOf(stock) : null,
    patterns: layers.has('patterns')
      ? (stock.patterns ?? []).map((pattern) => patternOf(pattern, isIntraday))
      : [],
    setups: setupsOf(stock),
    trades: [],
    events: [...(layers.has('events') ? eventsOf(stock, times, isIntraday) : []), ...marksOf(marks, times)],
    selected,
  };
}

function marksOf(marks: readonly string[], times: readonly number[]): DrawnEvent[] {
  return marks.flatMap((at): DrawnEvent[] => {
    const row = indexAt(times, chartTime(Date.parse(at) - MINUTE_MS));
    if (row < 0) return [];
    const time = times[row] as DrawnEvent['time'];
    return [{ id: `alert:${at}`, time, kind: 'alert', direction: 'neutral', label: 'alert' }];
  });
}

const expectedOf = ({ expected_move: found }: Stock): OverlayContent['expected'] =>
  found?.day == null
    ? null
    : { from: startOfDate(found.day.until), low: found.day.low, high: found.day.high, label: 'expected' };

const profilesOf = ({ volume_profile }: Stock): DrawnProfile[] =>
  [volume_profile?.prior, volume_profile?.developing].flatMap((profile) => profile ?? []);

const setupsOf = ({ strategies }: Stock): DrawnSetup[] =>
  (strategies ?? []).flatMap(({ strategy, trigger, stop, target, rr_ratio }) =>
    trigger === null || stop === null || target === null
      ? []
      : [{ id: setupId(strategy), entry: trigger, stop, target, r: rr_ratio }],
  );

function patternOf(pattern: Pattern, isIntraday: boolean): DrawnPattern {
  const { type, direction, pivots, trigger, target, invalidation_price } = pattern;
  return {
    id: patternId(pattern),
    label: `${inWords(type)} (${pattern.status})`,
    direction: direction === 'bullish' || direction === 'bearish' ? direction : 'neutral',
    pivots: pivots.map(({ date, price }) => ({
      time: isIntraday ? regularOpen(date) : startOfDate(date),
      price,
    })),
    trigger,
    target,
    invalidation: invalidation_price,
  };
}

/** A daily pivot has no minute; on an intraday chart it lies at the open of its session. */
const regularOpen = (date: string) => (startOfDate(date) + 9.5 * 3600) as ReturnType<typeof startOfDate>;

/** Events at the bar in which they were known. */
function eventsOf(
  { price_events, news }: Stock,
  times: readonly number[],
  isIntraday: boolean,
): DrawnEvent[] {
  const place = (knownAt: string): DrawnEvent['time'] | null => {
    const at = indexAt(times, chartTime(Date.parse(knownAt)));
    return at < 0 ? null : (times[at] as DrawnEvent['time']);
  };
  const placed = (
    knownAt: string | null,
    date: string | null,
    event: Omit<DrawnEvent, 'time'>,
  ): DrawnEvent[] => {
    const time = knownAt === null ? null : isIntraday || date === null ? place(knownAt) : startOfDate(date);
    return time === null ? [] : [{ ...event, time }];
  };
  const sideOf = (word: string | null): DrawnEvent['direction'] =>
    word === 'bullish' || word === 'positive'
      ? 'bullish'
      : word === 'bearish' || word === 'negative'
        ? 'bearish'
        : 'neutral';
  return [
    ...(price_events ?? []).flatMap(({ type, direction, date, known_at }) =>
      placed(known_at, date, {
        id: `event:${type}@${known_at}`,
        kind: 'price',
        direction: sideOf(direction),
        label: inWords(type),
      }),
    ),
    ...(news?.items ?? []).flatMap(({ id, headline, published_at, sentiment }) =>
      placed(published_at, null, {
        id: `news:${id}`,
        kind: 'news',
        direction: sideOf(sentiment),
        label: headline,
      }),
    ),
  ];
}
