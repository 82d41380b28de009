import type { Colours } from './colours.ts';

/** Where a drawing goes: a canvas in CSS pixels with the scales of the chart. */
export interface Pane {
  readonly context: CanvasRenderingContext2D;
  readonly width: number;
  readonly height: number;
  readonly colours: Colours;
  readonly font: string;
  readonly yOf: (price: number) => number;
  /** Place of the bar at or before a chart time; null outside the bars. */
  readonly xOf: (time: number) => number | null;
  readonly isVisible: (price: number) => boolean;
  readonly barWidth: number;
  /** Chart times of the bars in view with their places, ascending. */
  readonly bars: readonly { readonly time: number; readonly x: number }[];
}
