import {
  CANDLESTICK_TYPES,
  CHART_PATTERN_TYPES,
  type PatternFinding,
  type PatternLine,
  type SwingPoint,
} from '../analysis/patterns/finding.ts';
import { detectPatterns } from '../analysis/patterns/index.ts';
import { dateOf } from '../base/calendar.ts';
import { columnDigest } from '../base/column-digest.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantOrNull } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import type { BarColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import { nestedBlock } from './block.ts';
import type { Keeping, Kept } from './kept.ts';
import { record } from './record-beside.ts';

const Pivot = wire.record('PatternPivot', 'A swing point of the pattern.', {
  date: wire.date('Session of the swing.'),
  price: wire.number('High or low of that session, USD.'),
  kind: wire.oneOf(['high', 'low'], 'Which end it is.'),
  confirmed_at: wire.nullableDateTime('Close from which the swing was known to be one.'),
});

const Line = wire.record(
  'PatternLine',
  'A straight line on the chart through two points; it goes on beyond both.',
  {
    from_date: wire.date('Session of the first point.'),
    from_price: wire.number('Price of the first point, USD.'),
    to_date: wire.date('Session of the second point.'),
    to_price: wire.number('Price of the second point, USD.'),
  },
);

export const Pattern = wire.record(
  'Pattern',
  'A technical pattern as it stands; once confirmed it is never taken back.',
  {
    type: wire.oneOf([...CHART_PATTERN_TYPES, ...CANDLESTICK_TYPES], 'Name of the pattern.'),
    family: wire.oneOf(
      ['chart', 'candlestick'],
      'chart: drawn over swings; candlestick: of one to three sessions.',
    ),
    direction: wire.oneOf(
      ['bullish', 'bearish', 'neutral'],
      'Side that it speaks for; two-way patterns are neutral while they form.',
    ),
    timeframe: wire.oneOf(['1d'], 'Bars that it is drawn on.'),
    status: wire.oneOf(['forming', 'confirmed', 'failed'], 'forming: waits for a close beyond the trigger.'),
    pivots: wire.listOf(Pivot, 'The swings that it stands on, oldest first.'),
    trigger: wire.nullableNumber(
      'Neckline or boundary whose break by a close confirms it, USD; frozen once confirmed.',
    ),
    trigger_line: wire.nullable(Line),
    counter_trigger: wire.nullableNumber('The other boundary of a pattern between two lines, USD.'),
    counter_line: wire.nullable(Line),
    target: wire.nullableNumber('Measured move, USD.'),
    stop: wire.nullableNumber('Where the swing behind the trigger lies, USD.'),
    invalidation_price: wire.nullableNumber('A close beyond it says that the reading was wrong, USD.'),
    height: wire.nullableNumber('What the measured move measures, USD.'),
    first_seen_at: wire.nullableDateTime('Close that completed the reading.'),
    confirmed_at: wire.nullableDateTime('Close that confirmed it.'),
    failed_at: wire.nullableDateTime('Close at which it failed.'),
    failure: wire.nullableOneOf(
      ['invalidated', 'expired'],
      'invalidated: closed beyond the invalidation price; expired: not triggered in its time.',
    ),
    target_reached_at: wire.nullableDateTime('Close of the first session whose range touched the target.'),
    confidence: wire.number('How well it fits the textbook, 0-1; not a chance of profit.', wire.FRACTION),
    record,
  },
);

/** From completed sessions only, so that a confirmed pattern is never withdrawn. Null without a daily bar. */
export const patterns = nestedBlock({
  name: 'patterns',
  include: 'patterns',
  schema: wire.listOf(Pattern, 'Active technical patterns, the newest first.'),
  derive(view, _known, _market, kept) {
    if (view.daily.time.length === 0) return null;
    return patternsOf(view.daily, view.sessionOn, kept);
  },
  // Its state on a day belongs to the edge.
  leaves: (found, { symbol }) =>
    found.map((pattern) => ({
      type: 'EXHIBITS',
      label: 'Pattern',
      key: `${symbol}|${pattern.type}|${pattern.pivots.map((pivot) => pivot.date).join()}|${pattern.first_seen_at}`,
      props: { symbol, type: pattern.type, family: pattern.family, first_seen_at: pattern.first_seen_at },
      edgeProps: { status: pattern.status, direction: pattern.direction, confidence: pattern.confidence },
    })),
});

const patternsOf = onceFor((daily: BarColumns, sessionOn: StockView['sessionOn'], kept: Kept | null) =>
  findingsOf(daily, kept).map((finding) => wireFinding(daily.time, sessionOn, finding)),
);

/** Histories whose findings are kept, some kilobytes each: a session's minutes have the same completed sessions. */
const FINDINGS: Keeping<readonly PatternFinding[]> = { max: 4_096 };

function findingsOf(bars: BarColumns, kept: Kept | null): readonly PatternFinding[] {
  if (kept === null) return detectPatterns(bars);
  const key = columnDigest([bars.open, bars.high, bars.low, bars.close, bars.volume]);
  const findings = kept.of(FINDINGS);
  const found = findings.get(key) ?? detectPatterns(bars);
  findings.set(key, found);
  return found;
}

function wireFinding(time: Float64Array, sessionOn: StockView['sessionOn'], finding: PatternFinding) {
  const closeOf = (row: number | null): string | null =>
    row === null ? null : instantOrNull(sessionOn(time[row]!)?.close);
  return withLate(
    {
      type: finding.type,
      family: finding.family,
      direction: finding.direction,
      timeframe: '1d' as const,
      status: finding.status,
    },
    {
      pivots: () =>
        finding.pivots.map(({ row, price, kind, confirmedRow }: SwingPoint) => ({
          date: dateOf(time[row]!),
          price,
          kind,
          confirmed_at: closeOf(confirmedRow),
        })),
      trigger: () => finiteOrNull(finding.trigger),
      trigger_line: () => wireLine(finding.triggerLine, time),
      counter_trigger: () => finiteOrNull(finding.counterTrigger),
      counter_line: () => (finding.counterLine === null ? null : wireLine(finding.counterLine, time)),
    },
    {
      target: finiteOrNull(finding.target),
      stop: finiteOrNull(finding.stop),
      invalidation_price: finiteOrNull(finding.invalidation),
      height: finiteOrNull(finding.height),
      first_seen_at: closeOf(finding.firstSeenRow),
      confirmed_at: closeOf(finding.confirmedRow),
      failed_at: closeOf(finding.failedRow),
      failure: finding.failure,
      target_reached_at: closeOf(finding.targetRow),
      confidence: finding.confidence,
    },
  );
}

function wireLine({ fromRow, fromPrice, toRow, toPrice }: PatternLine, time: Float64Array) {
  return {
    from_date: dateOf(time[fromRow]!),
    from_price: fromPrice,
    to_date: dateOf(time[toRow]!),
    to_price: toPrice,
  };
}
