export { ema, sma } from './averages.ts';
export { type BollingerColumns, bollinger } from './bollinger.ts';
export { adx, type DirectionalColumns, directionalIndicators } from './directional.ts';
export { type MacdColumns, macd } from './macd.ts';
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
