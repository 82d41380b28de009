export { outcomeOf, similarityOf, thinned } from './analogs.ts';
export { type CloseColumns, type MarketPart, marketPart } from './market-features.ts';
export { type NearestRows, nearestRows, type StateBlock, YEAR_ROWS } from './nearest.ts';
export {
  marketStates,
  STATE_FEATURES,
  STATE_FIRST_ROW,
  STATE_WIDTH,
} from './states.ts';
