import type { MarketContext, Stock } from '../shared/api/queries.ts';
import { standsIn } from '../shared/expected-move.ts';
import { MINUTE_MS, minuteOf } from '../shared/instant.ts';
import { labelOf } from '../shared/levels.ts';
import { TOUR } from '../shared/sentences.ts';
import { format, formatPrice } from '../shared/ui/number.tsx';
import { sideSince } from './head-words.ts';

/** One moment of a session, with the minute that shows it. */
export interface TourStep {
  readonly kind: keyof typeof TOUR;
  readonly asOf: string;
  readonly says: string;
  /** The level that it is about. */
  readonly level: string | null;
}

/** The first minutes make the ranges and scores that later ones are read against. */
const OPENING_MS = 5 * MINUTE_MS;

/** Levels that stay where they are through a session, and that a chart shows without being asked. */
const SHOWN = new Set<string>([
  'opening',
  'prior_day',
  'prior_week',
  'prior_month',
  'overnight',
  'recent_range',
  'prior_profile',
]);

type Level = NonNullable<Stock['level_ladder']>['levels'][number];

/** The strongest level of a state that was decided within a span; of equal ones the first that was. */
function decided(
  stock: Stock,
  state: Level['state'],
  from: number,
  to: number,
): (Level & { at: number }) | null {
  const found = (stock.level_ladder?.levels ?? []).flatMap((level) => {
    const at = Date.parse(level.decided_at ?? '');
    return SHOWN.has(level.family) && level.state === state && at > from && at < to ? [{ ...level, at }] : [];
  });
  return found.toSorted((a, b) => b.strength - a.strength || a.at - b.at)[0] ?? null;
}

const filled = (kind: keyof typeof TOUR, values: Readonly<Record<string, string>>): string =>
  TOUR[kind].replace(/\{(\w+)\}/g, (_, name: string) => values[name]!);

/**
 * The moments of a session that show what a page of a stock says: open, break, test, flip, close. One that the session
 * did not have is left out.
 *
 * @param stock as it was known at the end of the session, or by now
 * @param market of the same session
 */
export function tourSteps(stock: Stock, market: Pick<MarketContext, 'clock'>): readonly TourStep[] {
  const regular = market.clock.phases.find(({ phase }) => phase === 'regular');
  const price = stock.price?.regular ?? null;
  if (regular === undefined || price === null || stock.price?.trade_date !== market.clock.trade_date)
    return [];
  const [open, close] = [Date.parse(regular.opens_at), Date.parse(regular.closes_at)];
  const begun = open + OPENING_MS;
  const stepOf = (
    kind: TourStep['kind'],
    at: number,
    values: Readonly<Record<string, string>>,
    level: string | null = null,
  ): TourStep => ({ kind, asOf: minuteOf(at), says: filled(kind, values), level });
  const levelStep = (kind: 'break' | 'test', level: ReturnType<typeof decided>): TourStep[] =>
    level === null
      ? []
      : [stepOf(kind, level.at, { level: labelOf(level.name), price: formatPrice(level.price) }, level.name)];
  const since = sideSince(stock, market);
  const flip =
    since === null || since <= begun ? [] : [stepOf('flip', since, { side: stock.directional_bias ?? '' })];
  const gap = stock.price?.gap_pct ?? null;
  const moved = stock.expected_move?.day_position ?? null;
  const end = stock.price?.official_close ?? null;
  return [
    stepOf('open', begun, {
      price: formatPrice(price.open),
      gap: gap === null ? '' : `, gap ${format('signed-percent', gap)}`,
    }),
    ...[
      ...levelStep('break', decided(stock, 'broken', begun, close)),
      ...levelStep('test', decided(stock, 'held', begun, close)),
      ...flip,
    ].toSorted((a, b) => (a.asOf < b.asOf ? -1 : 1)),
    ...(end === null
      ? []
      : [
          stepOf('close', close, {
            price: formatPrice(end),
            change: format('signed-percent', stock.price?.change_pct ?? 0),
            move: moved === null ? '' : `; of the expected move: ${standsIn(moved)}`,
          }),
        ]),
  ];
}
