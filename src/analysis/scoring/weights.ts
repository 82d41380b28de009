import type { ComponentName } from './components.ts';

/** The share of each component in a score; they sum to 1. */
export type Weights<Name extends string = ComponentName> = readonly (readonly [
  component: Name,
  weight: number,
])[];

/** Legacy score of the better side. */
export const V3_WEIGHTS: Weights = [
  ['volume', 0.25],
  ['technical', 0.3],
  ['day_type', 0.15],
  ['pattern', 0.15],
  ['proximity', 0.15],
];

/** The eight pairs of the `confluence_components` breakdown. */
export const V45_WEIGHTS: Weights = [
  ['proximity', 0.2],
  ['volatility', 0.12],
  ['volume', 0.18],
  ['pattern', 0.16],
  ['iv', 0.08],
  ['day_type', 0.12],
  ['vix_regime', 0.07],
  ['event_proximity', 0.07],
];

/** The canonical score: the eight pairs and the components bounded 0 to 10 that came with V4.2 and after. */
export const V5_WEIGHTS: Weights = [
  ['proximity', 0.12],
  ['volatility', 0.07],
  ['volume', 0.11],
  ['pattern', 0.1],
  ['iv', 0.05],
  ['day_type', 0.08],
  ['vix_regime', 0.06],
  ['event_proximity', 0.06],
  ['momentum_trend', 0.14],
  ['pricing_edge', 0.03],
  ['greek_alignment', 0.03],
  ['orb_structure', 0.06],
  ['orb_proximity', 0.03],
  ['intraday_return', 0.06],
];
