import type { TechnicalValues } from '../analysis/indicators/technical-columns.ts';
import { lastAtr } from '../analysis/indicators/true-range.ts';
import { FIRST_ROW } from '../analysis/indicators/warm-up.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, ratio } from '../base/wire.ts';
import type { BarColumns } from '../market/observations.ts';
import type { StockView } from '../market/stock-view.ts';
import { nestedBlock } from './block.ts';
import { columnsOf, type SessionColumns, sessionColumns } from './session-columns.ts';

const MovingAverages = wire.record(
  'MovingAverages',
  'Moving averages of daily closes, USD; each null until it has a full window. EMAs start from the SMA of their first window.',
  {
    ema_9: wire.nullableNumber('Exponential, 9 sessions, USD.', wire.NOT_NEGATIVE),
    ema_20: wire.nullableNumber('Exponential, 20 sessions, USD.', wire.NOT_NEGATIVE),
    sma_20: wire.nullableNumber('Simple, 20 sessions, USD.', wire.NOT_NEGATIVE),
    sma_50: wire.nullableNumber('Simple, 50 sessions, USD.', wire.NOT_NEGATIVE),
    sma_200: wire.nullableNumber('Simple, 200 sessions, USD.', wire.NOT_NEGATIVE),
  },
);

const Bollinger = wire.record(
  'Bollinger',
  'Bollinger Bands of daily closes: SMA20 and 2 population deviations, USD; from row 19.',
  {
    upper: wire.nullableNumber('Upper band, USD.'),
    middle: wire.nullableNumber('SMA20, USD.'),
    lower: wire.nullableNumber('Lower band, USD.'),
    bandwidth: wire.nullableNumber('(upper - lower) / middle * 100, percent.', wire.NOT_NEGATIVE),
    percent_b: wire.nullableNumber('(close - lower) / (upper - lower): 0 at the lower band, 1 at the upper.'),
  },
);

const DailyAtr = wire.record(
  'DailyAtr',
  'End-of-day-frozen daily ATR by period, USD: completed sessions only.',
  {
    '14': wire.nullableNumber('ATR(14).'),
    '20': wire.nullableNumber('ATR(20).'),
  },
);

const Technical = wire.record(
  'Technical',
  'Daily indicators with the running session as their last bar, TA-Lib conventions; null before warm-up, and RSI and ADX of a price that stands still.',
  {
    rsi_14: wire.nullableNumber(
      `Relative strength index, 14 sessions, Wilder 1978; null while the close stands still, where TA-Lib writes 0; from row ${FIRST_ROW.rsi(14)}.`,
      wire.HUNDRED,
    ),
    macd: wire.nullableNumber(
      `MACD line: EMA12 minus EMA26, USD; from row ${FIRST_ROW.macd(26, 9)}, as its signal.`,
    ),
    macd_signal: wire.nullableNumber('EMA9 of the MACD line, USD.'),
    adx_14: wire.nullableNumber(
      `Average directional index, 14 sessions, Wilder 1978; null while neither high nor low has a side, where TA-Lib writes 0; from row ${FIRST_ROW.adx(14)}.`,
      wire.NOT_NEGATIVE,
    ),
    atr_14: wire.nullableNumber(
      'Average true range, 14 sessions, Wilder smoothing, USD; from row 14.',
      wire.NOT_NEGATIVE,
    ),
    moving_averages: wire.nullable(MovingAverages),
    bollinger: wire.nullable(Bollinger),
    trend_stack_valid: wire.flag('True when EMA9 > EMA20 > SMA50 > SMA200.'),
    atr_1m_14: wire.nullableNumber('ATR(14) on 1-minute bars of the regular session of the trade date, USD.'),
    daily_atr: DailyAtr,
    daily_atr_live: wire.nullableNumber('Daily ATR(14) with the running session as its last bar, USD.'),
    range_vs_atr_14: wire.nullableNumber("Today's range / daily_atr 14."),
  },
  [],
);

/** Null without a daily bar. */
export const technical = nestedBlock({
  name: 'technical',
  ofBars: true,
  schema: Technical,
  reads: [sessionColumns],
  derive(view, known) {
    const { daily, dailyNow, todayRow } = view;
    const lastRow = dailyNow.close.length - 1;
    if (lastRow < 0) return null;
    const columns = columnsOf(known);
    const { now } = columns;
    const frozenAtr = finiteOrNull(columns.daily.last.atr14);
    return {
      rsi_14: finiteOrNull(now.rsi14),
      macd: finiteOrNull(now.macd),
      macd_signal: finiteOrNull(now.macdSignal),
      adx_14: finiteOrNull(now.adx14),
      atr_14: finiteOrNull(now.atr14),
      moving_averages: movingAverages(now),
      bollinger: bollinger(now, dailyNow.close[lastRow]!),
      trend_stack_valid: now.ema9 > now.ema20 && now.ema20 > now.sma50 && now.sma50 > now.sma200,
      atr_1m_14: minuteAtr(view, columns),
      daily_atr: {
        '14': frozenAtr,
        '20': atr20Of(daily),
      },
      daily_atr_live: finiteOrNull(now.atr14),
      range_vs_atr_14: ratio(rangeAt(dailyNow, todayRow), frozenAtr),
    };
  },
});

const atr20Of = onceFor((daily: BarColumns) =>
  finiteOrNull(lastAtr(daily, { from: 0, to: daily.close.length }, 20)),
);

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

/** Only the regular session of the trade date: the overnight gap is no minute's range. */
function minuteAtr({ intraday, intradayInterval }: StockView, { rows }: SessionColumns): number | null {
  return intradayInterval === '1m' && rows !== null ? finiteOrNull(lastAtr(intraday, rows)) : null;
}

/** High minus low of a row, dollars; null outside the columns. */
function rangeAt({ high, low }: BarColumns, row: number): number | null {
  return row < 0 || row >= high.length ? null : finiteOrNull(high[row]! - low[row]!);
}
