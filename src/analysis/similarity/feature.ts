import { scaledReturns } from './rolling.ts';

/** One number of a state: what it is called and how its figure is brought to about -1 to 1. */
export interface Feature<Columns> {
  readonly name: string;
  /**
   * The figure at which the state says 0.76: it holds the hyperbolic tangent of figure over scale. Null where the figure
   * lies within -1 to 1 already. Scales are fixed, so that a day's state never depends on other days' spread.
   */
  readonly scale: number | null;
  /** A column as long as the history; NaN where it is too short. */
  readonly column: (of: Columns) => Float64Array;
}

/** Writes the figures of features side by side into vectors of `width` numbers, from place `offset` on. */
export function layOut<Columns>(
  features: readonly Feature<Columns>[],
  columns: Columns,
  into: Float32Array,
  { firstRow, width }: { readonly firstRow: number; readonly width: number },
): void {
  for (const [place, { scale, column }] of features.entries()) {
    const figures = column(columns);
    for (let row = firstRow; row < figures.length; row++) {
      into[row * width + place] = scale === null ? figures[row]! : Math.tanh(figures[row]! / scale);
    }
  }
}

/** The log return over some sessions, in volatilities of as many sessions. */
export function returnFeature(
  name: string,
  sessions: number,
): Feature<{ readonly close: Float64Array; readonly volatility60: Float64Array }> {
  return {
    name,
    scale: 2,
    column: ({ close, volatility60 }) => scaledReturns(close, volatility60, sessions),
  };
}
