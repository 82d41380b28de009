import type { Colours } from './colours.ts';
import type { DrawnLevel } from './overlay-content.ts';

/** Where the label of some levels lies, in pixels. */
export interface LabelBox {
  readonly left: number;
  readonly right: number;
  readonly y: number;
  readonly levels: readonly DrawnLevel[];
}

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
  /** Takes the labels that are drawn, for what points at them. */
  readonly label: (box: LabelBox) => void;
  /** Chart times of the bars in view with their places, ascending. */
  readonly bars: readonly { readonly time: number; readonly x: number }[];
}
