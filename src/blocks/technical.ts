import {
  type TechnicalValues,
  technicalColumns,
  technicalValues,
} from '../analysis/indicators/technical-columns.ts';
import { atr } from '../analysis/indicators/true-range.ts';
import { intradayBars, regularRows, sliceBars } from '../analysis/sessions.ts';
import { flag, nullable, nullableNumber, record } from '../base/schema.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock } from './block.ts';
import { at, finiteOrNull, rangeAt, ratio } from './wire.ts';

const POSITIVE = { minimum: 0 };

const MovingAverages = record(
  'MovingAverages',
  'Moving averages of daily closes, USD; each null until it has a full window. EMAs start from the SMA of their first window.',
  {
    ema_9: nullableNumber('Exponential, 9 sessions.', POSITIVE),
    ema_20: nullableNumber('Exponential, 20 sessions.', POSITIVE),
    sma_20: nullableNumber('Simple, 20 sessions.', POSITIVE),
    sma_50: nullableNumber('Simple, 50 sessions.', POSITIVE),
    sma_200: nullableNumber('Simple, 200 sessions.', POSITIVE),
  },
);

const Bollinger = record(
  'Bollinger',
  'Bollinger Bands of daily closes: SMA20 and 2 population deviations, USD.',
  {
    upper: nullableNumber('Upper band.'),
    middle: nullableNumber('SMA20.'),
    lower: nullableNumber('Lower band.'),
    bandwidth: nullableNumber('(upper - lower) / middle * 100, percent.', POSITIVE),
    percent_b: nullableNumber('(close - lower) / (upper - lower): 0 at the lower band, 1 at the upper.'),
  },
);

const DailyAtr = record('DailyAtr', 'End-of-day-frozen daily ATR by period, USD: completed sessions only.', {
  '14': nullableNumber('ATR(14).'),
  '20': nullableNumber('ATR(20).'),
});

const Technical = record(
  'Technical',
  'Daily indicators with the running session as their last bar, TA-Lib conventions; null before warm-up.',
  {
    rsi_14: nullableNumber('Relative strength index, 14 sessions, Wilder smoothing.', {
      minimum: 0,
      maximum: 100,
    }),
    macd: nullableNumber('MACD line: EMA12 minus EMA26.'),
    macd_signal: nullableNumber('EMA9 of the MACD line.'),
    adx_14: nullableNumber('Average directional index, 14 sessions, Wilder smoothing.', POSITIVE),
    atr_14: nullableNumber('Average true range, 14 sessions, Wilder smoothing, USD.', POSITIVE),
    moving_averages: nullable(MovingAverages),
    bollinger: nullable(Bollinger),
    trend_stack_valid: flag('True when EMA9 > EMA20 > SMA50 > SMA200.'),
    atr_1m_14: nullableNumber('ATR(14) on 1-minute bars of the regular session of the trade date, USD.'),
    daily_atr: DailyAtr,
    daily_atr_live: nullableNumber('Daily ATR(14) with the running session as its last bar, USD.'),
    range_vs_atr_14: nullableNumber("Today's range / daily_atr 14."),
  },
  [],
);

/** Null without a daily bar. */
export const technical = defineBlock({
  name: 'technical',
  schema: Technical,
  flat: {},
  reads: [],
  derive(view) {
    const { daily, dailyNow, todayRow } = view;
    const lastRow = dailyNow.close.length - 1;
    if (lastRow < 0) return { nested: null, flat: {} };
    const columns = technicalColumns(dailyNow.high, dailyNow.low, dailyNow.close);
    const now = technicalValues(columns, lastRow);
    // What is true of a prefix stays true: the row of the last completed session needs no second walk.
    const frozenAtr = at(columns.atr14, daily.close.length - 1);
    return {
      nested: {
        rsi_14: finiteOrNull(now.rsi14),
        macd: finiteOrNull(now.macd),
        macd_signal: finiteOrNull(now.macdSignal),
        adx_14: finiteOrNull(now.adx14),
        atr_14: finiteOrNull(now.atr14),
        moving_averages: movingAverages(now),
        bollinger: bollinger(now, dailyNow.close[lastRow]!),
        trend_stack_valid: now.ema9 > now.ema20 && now.ema20 > now.sma50 && now.sma50 > now.sma200,
        atr_1m_14: minuteAtr(view),
        daily_atr: {
          '14': frozenAtr,
          '20': at(atr(daily.high, daily.low, daily.close, 20), daily.close.length - 1),
        },
        daily_atr_live: finiteOrNull(now.atr14),
        range_vs_atr_14: ratio(rangeAt(dailyNow, todayRow), frozenAtr),
      },
      flat: {},
    };
  },
});

/** Null until the shortest average has its window. */
function movingAverages({ ema9, ema20, sma20, sma50, sma200 }: TechnicalValues) {
  if (Number.isNaN(ema9)) return null;
  return {
    ema_9: finiteOrNull(ema9),
    ema_20: finiteOrNull(ema20),
    sma_20: finiteOrNull(sma20),
    sma_50: finiteOrNull(sma50),
    sma_200: finiteOrNull(sma200),
  };
}

function bollinger({ sma20, bollingerUpper: upper, bollingerLower: lower }: TechnicalValues, close: number) {
  if (Number.isNaN(upper)) return null;
  const width = upper - lower;
  return {
    upper: finiteOrNull(upper),
    middle: finiteOrNull(sma20),
    lower: finiteOrNull(lower),
    bandwidth: finiteOrNull((width / sma20) * 100),
    percent_b: finiteOrNull((close - lower) / width),
  };
}

/** The trade date's regular session alone: the night's gap is no range of a minute. */
function minuteAtr({ intraday, intradayInterval, session, asOf }: StockView): number | null {
  if (intradayInterval !== '1m') return null;
  const rows = regularRows(intradayBars(intraday, intradayInterval, asOf), session);
  if (rows === null) return null;
  const { high, low, close } = sliceBars(intraday, rows);
  return at(atr(high, low, close, 14), close.length - 1);
}
