export { ema, sma } from './averages.ts';
export { bollinger } from './bollinger.ts';
export { adx, directionalIndicators } from './directional.ts';
export { macd } from './macd.ts';
export { rsi } from './rsi.ts';
export {
  type TechnicalColumns,
  type TechnicalValues,
  technicalColumns,
  technicalRoom,
  technicalValues,
} from './technical-columns.ts';
export { atr, trueRange } from './true-range.ts';
export { FIRST_ROW } from './warm-up.ts';
