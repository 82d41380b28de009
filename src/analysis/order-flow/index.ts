/** Who presses, buyers or sellers: measures of the classified minutes of one session. */
export { cvdAtBars, volumeDelta } from './cvd.ts';
export { cvdDivergence } from './divergence.ts';
export { type FlowSums, flowRows, flowSums } from './flow-sums.ts';
export { cvdDrift, cvdTrend } from './trend.ts';
