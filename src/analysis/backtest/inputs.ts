import type { SessionColumns } from './session-columns.ts';
import { returnsTo, SLOPE_BARS, TREND_BARS, ZONE_DISTANCE_ATR } from './signals.ts';
import type { EntryType } from './spec.ts';

/** Figures that a signal read at its bar, dollars, as the session has them also for a short. */
export const INPUTS = [
  'bar_open',
  'bar_high',
  'bar_low',
  'bar_close',
  'vwap',
  'vwap_before',
  'ema_9',
  'ema_20',
  'ema_50',
  'ema_50_before',
  'ib_high',
  'ib_low',
  'or_high',
  'or_low',
  'zone_high',
  'zone_low',
] as const;
type Input = (typeof INPUTS)[number];
type Inputs = Partial<Record<Input, number>>;

type Reader = (day: SessionColumns, bar: number, side: SessionColumns) => Inputs;

const initialBalance: Reader = ({ initialBalance: { high, low } }) => ({ ib_high: high, ib_low: low });

const READERS: Readonly<Record<EntryType, Reader>> = {
  own: () => ({}),
  vwap_touch: ({ vwap }, bar) => ({ vwap: vwap[bar]!, vwap_before: vwap[bar - TREND_BARS]! }),
  ib_breakout: initialBalance,
  ib_retest: initialBalance,
  or_hold: ({ openingRange: { high, low } }) => ({ or_high: high, or_low: low }),
  level_confluence(day, bar, side) {
    const left = ZONE_DISTANCE_ATR * day.dailyAtr;
    const zone = day.zones[side.zones.findIndex(({ high }) => returnsTo(high, left, side)[bar] === 1)];
    return zone === undefined ? {} : { zone_high: zone.high, zone_low: zone.low };
  },
  trend_continuation: ({ vwap, ema9, ema20, ema50 }, bar) => ({
    vwap: vwap[bar]!,
    ema_9: ema9[bar]!,
    ema_20: ema20[bar]!,
    ema_50: ema50[bar]!,
    ema_50_before: ema50[bar - SLOPE_BARS]!,
  }),
};

/**
 * What an entry was taken on, one value for each of `INPUTS`, NaN for what its signal does not read: the bar before the
 * entry, which is the signal's, and the lines that the signal compares it with.
 *
 * @param side the session, upside down for a short
 * @param bar -1 for an own entry at the open, which has no bar before it
 */
export function inputsOf(
  type: EntryType,
  day: SessionColumns,
  side: SessionColumns,
  bar: number,
): readonly number[] {
  const { open, high, low, close } = day;
  if (bar < 0) return INPUTS.map(() => Number.NaN);
  const prices = { bar_open: open[bar]!, bar_high: high[bar]!, bar_low: low[bar]!, bar_close: close[bar]! };
  const read: Inputs = { ...prices, ...READERS[type](day, bar, side) };
  return INPUTS.map((name) => read[name] ?? Number.NaN);
}
