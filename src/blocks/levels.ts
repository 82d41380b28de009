import { isWithinReach } from '../analysis/level-ladder.ts';
import {
  INITIAL_BALANCE_MINUTES,
  type Levels as LevelsOfDay,
  levels as levelsOf,
  NO_INITIAL_BALANCE,
  OPENING_RANGE_STATUSES,
  type OpeningRange,
  type OpeningRangeStatus,
} from '../analysis/levels.ts';
import { OPENING_RANGE_LEAN } from '../analysis/scoring/session.ts';
import { MINUTE_MS, NO_RANGE } from '../analysis/sessions.ts';
import { dateOf } from '../base/calendar.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantOrNull } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock } from './block.ts';
import { priceVolume } from './price-volume.ts';
import { columnsOf, sessionColumns } from './session-columns.ts';
import { technical } from './technical.ts';
import { volumeProfile } from './volume-profile.ts';

const orbStatus = (minutes: number) =>
  wire.nullableOneOf(
    OPENING_RANGE_STATUSES,
    `Status of the ${minutes}-minute opening range by 1-minute closes (longer bars where the tape has no others); null until the window closes, and where the feed stopped before the close.`,
  );

const Levels = wire.record(
  'Levels',
  'Price levels of the trade date, USD as traded on it; null where one is not defined (yet) or lies more than 25 daily ATR from the last price.',
  {
    prior_date: wire.nullableDate('Session that the pivots and prior-day levels come from.'),
    pivot_pp: wire.nullableNumber('Floor pivot: (H + L + C) / 3 of the prior regular session, USD.'),
    pivot_r1: wire.nullableNumber('2P - L, USD.'),
    pivot_r2: wire.nullableNumber('P + (H - L), USD.'),
    pivot_r3: wire.nullableNumber('H + 2(P - L), USD.'),
    pivot_s1: wire.nullableNumber('2P - H, USD.'),
    pivot_s2: wire.nullableNumber('P - (H - L), USD.'),
    pivot_s3: wire.nullableNumber('L - 2(H - P), USD.'),
    cpr_tc: wire.nullableNumber(
      'Top of the central pivot range: the higher of (H + L) / 2 and 2P - (H + L) / 2, USD.',
    ),
    cpr_bc: wire.nullableNumber('Bottom of the central pivot range, USD.'),
    opening_from: wire.nullableDateTime(
      'Start of the first bar of the regular session, where it is later than the open: initial balance and opening ranges hold nothing of what came before, and are null where their window was over by then. Null where it began with the open.',
    ),
    ib_high: wire.nullableNumber('High of the initial balance, 9:30-10:30 ET, USD.'),
    ib_low: wire.nullableNumber('Low of the initial balance, 9:30-10:30 ET, USD.'),
    ib_range: wire.nullableNumber('ib_high minus ib_low, USD.'),
    ib_1_5x_high: wire.nullableNumber('ib_high + 0.5 ib_range, USD.'),
    ib_2x_high: wire.nullableNumber('ib_high + ib_range, USD.'),
    ib_1_5x_low: wire.nullableNumber('ib_low - 0.5 ib_range, USD.'),
    ib_2x_low: wire.nullableNumber('ib_low - ib_range, USD.'),
    orb_5m_high: wire.nullableNumber('High of 9:30-9:35 ET, USD.'),
    orb_5m_low: wire.nullableNumber('Low of 9:30-9:35 ET, USD.'),
    orb_15m_high: wire.nullableNumber('High of 9:30-9:45 ET, USD.'),
    orb_15m_low: wire.nullableNumber('Low of 9:30-9:45 ET, USD.'),
    orb_30m_high: wire.nullableNumber('High of 9:30-10:00 ET.'),
    orb_30m_low: wire.nullableNumber('Low of 9:30-10:00 ET.'),
    orb_5m_status: orbStatus(5),
    orb_15m_status: orbStatus(15),
    orb_30m_status: orbStatus(30),
    ib_developing: wire.flag('True from the first bar of the initial balance until 10:30 ET.'),
    pdh: wire.nullableNumber('High of the prior regular session, USD.'),
    pdl: wire.nullableNumber('Low of the prior regular session, USD.'),
    pdc: wire.nullableNumber('Close of the prior regular session, USD.'),
    prior_week_high: wire.nullableNumber('High of the calendar week before, USD.'),
    prior_week_low: wire.nullableNumber('Low of the calendar week before, USD.'),
    prior_month_high: wire.nullableNumber('High of the calendar month before, USD.'),
    prior_month_low: wire.nullableNumber('Low of the calendar month before, USD.'),
    overnight_high: wire.nullableNumber(
      'Highest price from the prior close to the open (16:00-9:30 ET), USD; null of a single bar.',
    ),
    overnight_low: wire.nullableNumber('Lowest price from the prior close to the open (16:00-9:30 ET), USD.'),
    vwap: wire.nullableNumber('VWAP of the regular session, anchored at 9:30 ET, USD.'),
    vwap_upper_1: wire.nullableNumber('VWAP + 1 volume-weighted deviation, USD.'),
    vwap_lower_1: wire.nullableNumber('VWAP - 1 volume-weighted deviation, USD.'),
    vwap_upper_2: wire.nullableNumber('VWAP + 2 volume-weighted deviations, USD.'),
    vwap_lower_2: wire.nullableNumber('VWAP - 2 volume-weighted deviations, USD.'),
    prior_poc: wire.nullableNumber('Point of control of the prior regular session, USD.'),
    prior_vah: wire.nullableNumber('Upper edge of the value area of the prior regular session, USD.'),
    prior_val: wire.nullableNumber('Lower edge of the value area of the prior regular session, USD.'),
    developing_poc: wire.nullableNumber('Point of control of the regular session so far.'),
    developing_vah: wire.nullableNumber('Upper edge of the value area of the regular session so far.'),
    developing_val: wire.nullableNumber('Lower edge of the value area of the regular session so far.'),
  },
  [],
);

const flat = {
  orb_directional_bias: wire.nullableOneOf(
    ['bullish', 'bearish', 'neutral'],
    'Side that most opening ranges (5, 15, 30 minutes) speak for: a break up or a failed break down is bullish, a break down or a failed break up bearish; neutral when they balance, null until one window has closed and where the feed stopped before the close.',
  ),
};

/** Null without a prior session and without a bar of the trade date. */
export const levels = defineBlock({
  name: 'levels',
  ofBars: true,
  include: 'levels',
  schema: Levels,
  flat,
  reads: [priceVolume, sessionColumns, technical, volumeProfile],
  derive(view, known) {
    const day = knownOf(view, levelsOf(view, columnsOf(known).vwap));
    const ranges = [day.openingRange5, day.openingRange15, day.openingRange30];
    const orbBias = orbDirectionalBias(ranges.map((range) => range.status));
    if (view.priorRow < 0 && view.intraday.time.length === 0) {
      return { nested: null, flat: { orb_directional_bias: orbBias } };
    }
    const profiles = known(volumeProfile).nested;
    const lastPrice = known(priceVolume).flat.last_price ?? Number.NaN;
    const atr = known(technical).nested?.daily_atr['14'] ?? Number.NaN;
    return {
      nested: withinReach(lastPrice, atr, {
        prior_date: view.priorRow < 0 ? null : dateOf(view.daily.time[view.priorRow]!),
        ...pivotFields(day),
        ...openingFields(day),
        ...priorPeriodFields(day),
        ...vwapFields(view.intradayWhole ? day.vwap : null),
        prior_poc: profiles?.prior?.poc ?? null,
        prior_vah: profiles?.prior?.vah ?? null,
        prior_val: profiles?.prior?.val ?? null,
        developing_poc: profiles?.developing?.poc ?? null,
        developing_vah: profiles?.developing?.vah ?? null,
        developing_val: profiles?.developing?.val ?? null,
      }),
      flat: { orb_directional_bias: orbBias },
    };
  },
});

/** Null for each price that is too far from the last one. */
function withinReach<Fields extends object>(lastPrice: number, atr: number, fields: Fields): Fields {
  const isStored = (name: string, value: unknown): boolean =>
    typeof value !== 'number' || name === 'ib_range' || isWithinReach(value, lastPrice, atr);
  const within = { ...fields } as Record<string, unknown>;
  for (const name in within) if (!isStored(name, within[name])) within[name] = null;
  return within as Fields;
}

/** Without ranges and statuses that the rest of a session whose feed stopped could have changed. */
function knownOf({ intradayCutAt, session }: StockView, day: LevelsOfDay): LevelsOfDay {
  if (intradayCutAt === null) return day;
  const isClosed = (minutes: number): boolean => intradayCutAt >= session.open + minutes * MINUTE_MS;
  const rangeOf = (range: OpeningRange): OpeningRange => ({
    ...range,
    ...(isClosed(range.minutes) ? {} : NO_RANGE),
    status: null,
  });
  return {
    ...day,
    initialBalance: isClosed(INITIAL_BALANCE_MINUTES) ? day.initialBalance : NO_INITIAL_BALANCE,
    openingRange5: rangeOf(day.openingRange5),
    openingRange15: rangeOf(day.openingRange15),
    openingRange30: rangeOf(day.openingRange30),
  };
}

/** Majority of the ranges whose window has closed. A failed breakout counts for the opposite side. */
function orbDirectionalBias(
  statuses: readonly (OpeningRangeStatus | null)[],
): 'bullish' | 'bearish' | 'neutral' | null {
  const closed = statuses.filter((status) => status !== null);
  if (closed.length === 0) return null;
  const lean = closed.reduce((sum, status) => sum + Math.sign(OPENING_RANGE_LEAN[status]), 0);
  return lean > 0 ? 'bullish' : lean < 0 ? 'bearish' : 'neutral';
}

function pivotFields({ pivots, centralPivotRange }: LevelsOfDay) {
  return {
    pivot_pp: finiteOrNull(pivots.pivot),
    pivot_r1: finiteOrNull(pivots.r1),
    pivot_r2: finiteOrNull(pivots.r2),
    pivot_r3: finiteOrNull(pivots.r3),
    pivot_s1: finiteOrNull(pivots.s1),
    pivot_s2: finiteOrNull(pivots.s2),
    pivot_s3: finiteOrNull(pivots.s3),
    cpr_tc: finiteOrNull(centralPivotRange.top),
    cpr_bc: finiteOrNull(centralPivotRange.bottom),
  };
}

export function openingFields({
  openingFrom,
  initialBalance,
  openingRange5,
  openingRange15,
  openingRange30,
}: LevelsOfDay) {
  return {
    opening_from: instantOrNull(openingFrom),
    ib_high: finiteOrNull(initialBalance.high),
    ib_low: finiteOrNull(initialBalance.low),
    ib_range: finiteOrNull(initialBalance.range),
    ib_1_5x_high: finiteOrNull(initialBalance.high15x),
    ib_2x_high: finiteOrNull(initialBalance.high2x),
    ib_1_5x_low: finiteOrNull(initialBalance.low15x),
    ib_2x_low: finiteOrNull(initialBalance.low2x),
    ib_developing: initialBalance.developing,
    orb_5m_high: finiteOrNull(openingRange5.high),
    orb_5m_low: finiteOrNull(openingRange5.low),
    orb_5m_status: openingRange5.status,
    orb_15m_high: finiteOrNull(openingRange15.high),
    orb_15m_low: finiteOrNull(openingRange15.low),
    orb_15m_status: openingRange15.status,
    orb_30m_high: finiteOrNull(openingRange30.high),
    orb_30m_low: finiteOrNull(openingRange30.low),
    orb_30m_status: openingRange30.status,
  };
}

function priorPeriodFields({ priorDay, priorWeek, priorMonth, overnight }: LevelsOfDay) {
  return {
    pdh: finiteOrNull(priorDay.high),
    pdl: finiteOrNull(priorDay.low),
    pdc: finiteOrNull(priorDay.close),
    prior_week_high: finiteOrNull(priorWeek.high),
    prior_week_low: finiteOrNull(priorWeek.low),
    prior_month_high: finiteOrNull(priorMonth.high),
    prior_month_low: finiteOrNull(priorMonth.low),
    overnight_high: finiteOrNull(overnight.high),
    overnight_low: finiteOrNull(overnight.low),
  };
}

/** Null for a fragment of a session, whose VWAP is not the session's. */
function vwapFields(vwap: LevelsOfDay['vwap'] | null) {
  return {
    vwap: finiteOrNull(vwap?.vwap),
    vwap_upper_1: finiteOrNull(vwap?.upper1),
    vwap_lower_1: finiteOrNull(vwap?.lower1),
    vwap_upper_2: finiteOrNull(vwap?.upper2),
    vwap_lower_2: finiteOrNull(vwap?.lower2),
  };
}
