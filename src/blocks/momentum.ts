import { momentumBlend, momentumSlope } from '../analysis/momentum.ts';
import { incompleteAfter } from '../analysis/view-bars.ts';
import { flag, nullableNumber } from '../base/schema.ts';
import { at, finiteOrNull } from '../base/wire.ts';
import { flatBlock } from './block.ts';
import { priceVolume } from './price-volume.ts';
import { technical } from './technical.ts';

const flat = {
  momentum_blend: nullableNumber('0.5*ret_60d + 0.3*ret_90d + 0.2*ret_20d, percentage.'),
  momentum_slope_60d: nullableNumber('Regression slope of log(close) over 60 days, annualized percentage.'),
  intraday_return_pct: nullableNumber(
    '(last_price - pdc) / pdc * 100, percent; null for an incomplete session.',
  ),
  is_overextended: flag('True when price is more than 2 ATR from SMA20.'),
  is_distribution: flag(
    'True for elevated volume with declining trend: rel_vol_5d at or above 1.2 while the regression slope of log(close) over 20 completed sessions is negative.',
  ),
  extreme_rsi_warning: flag('True when RSI < 15 or RSI > 85.'),
};

export const EXTREME_RSI = { low: 15, high: 85 } as const;
/** Elevated volume: the last week a fifth above its month. */
export const ELEVATED_VOLUME = 1.2;
const TREND_SESSIONS = 20;
export const OVEREXTENDED_ATR = 2;

/** Momentum of daily closes with the running session as the last; unknown flags are false. */
export const momentum = flatBlock({
  name: 'momentum',
  ofBars: true,
  flat,
  reads: [priceVolume, technical],
  derive(view, known) {
    const { daily, dailyNow, priorRow } = view;
    const lastRow = dailyNow.close.length - 1;
    const { last_price: lastPrice, rel_vol_5d: relVol5d } = known(priceVolume).flat;
    const indicators = known(technical).nested;
    const priorClose = incompleteAfter(view) === null ? at(daily.close, priorRow) : null;
    const rsi = indicators?.rsi_14 ?? null;
    return {
      momentum_blend: finiteOrNull(momentumBlend(dailyNow.close, lastRow)),
      momentum_slope_60d: finiteOrNull(momentumSlope(dailyNow.close, lastRow, 60)),
      intraday_return_pct:
        lastPrice === null || priorClose === null ? null : ((lastPrice - priorClose) / priorClose) * 100,
      is_overextended: isOverextended(
        lastPrice,
        indicators?.moving_averages?.sma_20 ?? null,
        indicators?.atr_14 ?? null,
      ),
      is_distribution:
        relVol5d !== null &&
        relVol5d >= ELEVATED_VOLUME &&
        momentumSlope(daily.close, daily.close.length - 1, TREND_SESSIONS) < 0,
      extreme_rsi_warning: rsi !== null && (rsi < EXTREME_RSI.low || rsi > EXTREME_RSI.high),
    };
  },
});

function isOverextended(price: number | null, sma20: number | null, atr14: number | null): boolean {
  if (price === null || sma20 === null || atr14 === null) return false;
  return Math.abs(price - sma20) > OVEREXTENDED_ATR * atr14;
}
