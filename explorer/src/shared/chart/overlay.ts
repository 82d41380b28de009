import type {
  IChartApi,
  IPrimitivePaneView,
  ISeriesApi,
  ISeriesPrimitive,
  PrimitivePaneViewZOrder,
  SeriesAttachedParameter,
  Time,
} from 'lightweight-charts';
import { type Colours, readColours } from './colours.ts';
import { drawEvents } from './draw-events.ts';
import { drawExpectedMove } from './draw-expected-move.ts';
import { drawGamma } from './draw-gamma.ts';
import { drawLevels } from './draw-levels.ts';
import { drawPatterns } from './draw-patterns.ts';
import { drawProfiles } from './draw-profile.ts';
import { drawSetups } from './draw-setups.ts';
import { drawHoles, drawShading } from './draw-shading.ts';
import { drawTrades } from './draw-trades.ts';
import { EMPTY_CONTENT, type OverlayContent } from './overlay-content.ts';
import type { LabelBox, Pane } from './pane.ts';

type Draw = (pane: Pane, content: OverlayContent) => void;
/** By the order in which they lie: behind the candles, and over them. */
const LAYERS: readonly (readonly [PrimitivePaneViewZOrder, readonly Draw[]])[] = [
  ['bottom', [drawShading, drawHoles, drawExpectedMove, drawProfiles, drawGamma]],
  ['top', [drawLevels, drawPatterns, drawEvents, drawSetups, drawTrades]],
];

/** Everything over the candles, as one primitive of the chart library. */
export class Overlay implements ISeriesPrimitive<Time> {
  #content = EMPTY_CONTENT;
  #times: readonly number[] = [];
  #colours: Colours = readColours();
  #parts: SeriesAttachedParameter<Time> | null = null;
  #labels: LabelBox[] = [];
  readonly #views: readonly IPrimitivePaneView[] = LAYERS.map(([order, draws]) => ({
    zOrder: () => order,
    renderer: () => ({
      draw: (target) =>
        target.useMediaCoordinateSpace(({ context, mediaSize }) => {
          const pane = this.#paneOf(context, mediaSize.width, mediaSize.height);
          if (pane === null) return;
          if (order === 'top') this.#labels = [];
          context.save();
          for (const draw of draws) draw(pane, this.#content);
          context.restore();
        }),
    }),
  }));

  attached(parts: SeriesAttachedParameter<Time>): void {
    this.#parts = parts;
  }

  detached(): void {
    this.#parts = null;
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views;
  }

  get content(): OverlayContent {
    return this.#content;
  }

  /** Labels as they were drawn last. */
  get labels(): readonly LabelBox[] {
    return this.#labels;
  }

  show(content: OverlayContent): void {
    this.#content = content;
    this.#parts?.requestUpdate();
  }

  /** Chart times of all bars, ascending. */
  setTimes(times: readonly number[]): void {
    this.#times = times;
    this.#parts?.requestUpdate();
  }

  readColours(): void {
    this.#colours = readColours();
    this.#parts?.requestUpdate();
  }

  #paneOf(context: CanvasRenderingContext2D, width: number, height: number): Pane | null {
    if (this.#parts === null) return null;
    const chart = this.#parts.chart as IChartApi;
    const series = this.#parts.series as ISeriesApi<'Candlestick'>;
    const scale = chart.timeScale();
    const range = scale.getVisibleLogicalRange();
    if (range === null) return null;
    const times = this.#times;
    const xOfBar = (at: number): number => scale.logicalToCoordinate(at as never) ?? Number.NaN;
    const from = Math.max(0, Math.floor(range.from));
    const to = Math.min(times.length - 1, Math.ceil(range.to));
    const bars: { time: number; x: number }[] = [];
    for (let at = from; at <= to; at++) bars.push({ time: times[at]!, x: xOfBar(at) });
    const yOf = (price: number): number => series.priceToCoordinate(price) ?? Number.NaN;
    return {
      context,
      width,
      height,
      colours: this.#colours,
      font: 'system-ui, sans-serif',
      label: (box) => this.#labels.push(box),
      bars,
      barWidth: bars.length > 1 ? bars[1]!.x - bars[0]!.x : 6,
      yOf,
      isVisible: (price) => {
        const y = yOf(price);
        return y >= 0 && y <= height;
      },
      xOf: (time) => {
        const at = indexAt(times, time);
        return at < 0 ? null : xOfBar(at);
      },
    };
  }
}

/** Index of the last time at or before another; -1 before the first. */
export function indexAt(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
