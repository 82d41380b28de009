import {
  type AutoscaleInfo,
  CandlestickSeries,
  ColorType,
  CrosshairMode,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type MouseEventParams,
  type Time,
} from 'lightweight-charts';
import { formatCompact, formatPrice } from '../ui/number.tsx';
import { faded, readColours } from './colours.ts';
import { indexAt, Overlay } from './overlay.ts';
import type { DrawnLevel, DrawnSetup, OverlayContent } from './overlay-content.ts';
import type { LabelBox } from './pane.ts';
import { crosshairLabel, tickLabel } from './wall-clock.ts';

/** Bars as columns with chart times, ascending. */
export interface ChartBars {
  readonly time: readonly number[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
  /** Null where it is not known. */
  readonly volume: readonly (number | null)[];
  /** Chart times at which regular sessions ended before 16:00. */
  readonly earlyCloses: readonly number[];
}

/** What the pointer is on. */
export interface Pointed {
  readonly bar: number | null;
  /** Of a line, or of a label every one that it names. */
  readonly levels: readonly DrawnLevel[];
  readonly event: string | null;
  /** The label that is pointed at, in pixels of the chart. */
  readonly label: LabelBox | null;
}

const NOTHING: Pointed = { bar: null, levels: [], event: null, label: null };

interface Handlers {
  readonly onPoint: (pointed: Pointed) => void;
  readonly onClick: (pointed: Pointed) => void;
}

/** A wick so many times the closes beside it is a bad print of extended hours: it is drawn, and scales nothing. */
const SPIKE = 1.5;
const REACH_PX = 5;
/** Bars that are shown at first. */
const BARS_SHOWN_MAX = 160;
/** Places for bars at least: a few of them are no wider. */
const BARS_SHOWN_MIN = 24;
const BAR_PX = 6;
/** Room for the labels of levels, and gamma by strike beside them. */
const ROOM_PX = 250;
const ROOM_SHARE_MAX = 0.35;

/** Share of the price that the axis covers at least: two prices a tick apart are no picture of a session. */
const RANGE_MIN = 0.004;

/** Rows that are replaced one by one; more are set at once. */
const TAIL_MAX = 40;

const candleAt = ({ time, open, high, low, close }: ChartBars, row: number) => ({
  time: time[row]! as never,
  open: open[row]!,
  high: high[row]!,
  low: low[row]!,
  close: close[row]!,
});

/** The column of a row's volume, in the colour of its candle. */
function volumes({ time, open, close, volume }: ChartBars) {
  const { up, down } = readColours();
  const rising = faded(up!, 0.5);
  const falling = faded(down!, 0.5);
  return (row: number) => {
    const value = volume[row] ?? null;
    const at = time[row]! as never;
    return value === null
      ? { time: at }
      : { time: at, value, color: close[row]! >= open[row]! ? rising : falling };
  };
}

const DAY_S = 86_400;
const OPEN_S = 9.5 * 3_600;
const CLOSE_S = 16 * 3_600;

/**
 * Where a view of some bars ends: behind the newest, or in the evening where the regular session has no room beside it
 * behind the session's last.
 *
 * @param times of intraday bars on New York's clock, seconds, ascending
 */
export function endOfView(times: readonly number[], shown: number): number {
  const newest = times.at(-1);
  if (newest === undefined || newest % DAY_S < CLOSE_S) return times.length;
  const day = newest - (newest % DAY_S);
  const first = times.findIndex((time) => time >= day + OPEN_S);
  const after = times.findIndex((time) => time >= day + CLOSE_S);
  return after <= first ? times.length : Math.max(after, Math.min(times.length, first + shown));
}

/** How many rows both begin with. */
function sharedRows(before: ChartBars, after: ChartBars): number {
  const isSame = (row: number): boolean =>
    before.time[row] === after.time[row] &&
    before.close[row] === after.close[row] &&
    before.high[row] === after.high[row] &&
    before.low[row] === after.low[row] &&
    before.open[row] === after.open[row] &&
    before.volume[row] === after.volume[row];
  const most = Math.min(before.time.length, after.time.length);
  let rows = 0;
  while (rows < most && isSame(rows)) rows++;
  return rows;
}

/** Candles and volume with everything that lies over them. */
export class PriceChart {
  readonly #chart: IChartApi;
  readonly #candles: ISeriesApi<'Candlestick'>;
  readonly #volume: ISeriesApi<'Histogram'>;
  readonly #overlay = new Overlay();
  #bars: ChartBars | null = null;
  #isIntraday = true;
  /** The library sets a range in its next frame, for the bars that it has then. */
  #isPlacing = false;

  constructor(container: HTMLElement, { onPoint, onClick }: Handlers) {
    this.#chart = createChart(container, {
      autoSize: true,
      layout: {
        attributionLogo: false,
        fontSize: 11,
        fontFamily: 'system-ui, sans-serif',
        panes: { enableResize: false },
      },
      // A finger that moves up or down moves the page.
      handleScroll: { vertTouchDrag: false },
      crosshair: { mode: CrosshairMode.Normal },
      localization: {
        locale: 'en-US',
        timeFormatter: (time: Time) => crosshairLabel(time, this.#isIntraday),
      },
      timeScale: {
        timeVisible: true,
        secondsVisible: false,
        minBarSpacing: 0.2,
        tickMarkFormatter: tickLabel,
      },
    });
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      borderVisible: false,
      priceLineVisible: false,
      priceFormat: { type: 'custom', formatter: formatPrice, minMove: 0.01 },
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => this.#scaled(original()),
    });
    this.#volume = this.#chart.addSeries(
      HistogramSeries,
      {
        priceFormat: { type: 'custom', formatter: formatCompact },
        priceLineVisible: false,
        lastValueVisible: false,
      },
      1,
    );
    this.#chart.panes()[0]!.setStretchFactor(5);
    this.#chart.panes()[1]!.setStretchFactor(1);
    this.#candles.attachPrimitive(this.#overlay);
    this.#chart.subscribeCrosshairMove((event) => onPoint(this.#pointedAt(event)));
    this.#chart.subscribeClick((event) => onClick(this.#pointedAt(event)));
    this.applyColours();
  }

  dispose(): void {
    this.#chart.remove();
  }

  applyColours(): void {
    const colours = readColours();
    this.#chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: colours['bg-0']! },
        textColor: colours['text-2']!,
        panes: { separatorColor: colours.line!, separatorHoverColor: colours.line! },
      },
      grid: {
        vertLines: { color: faded(colours.line!, 0.35) },
        horzLines: { color: faded(colours.line!, 0.35) },
      },
      rightPriceScale: { borderColor: colours.line! },
      timeScale: { borderColor: colours.line! },
    });
    this.#candles.applyOptions({
      upColor: colours.up!,
      downColor: colours.down!,
      wickUpColor: colours.up!,
      wickDownColor: colours.down!,
    });
    this.#overlay.readColours();
    if (this.#bars !== null) this.#setVolume(this.#bars);
  }

  /** @param isNew another stock or interval: the newest bars come into view */
  showBars(bars: ChartBars, isIntraday: boolean, isNew: boolean): void {
    const before = this.#bars;
    this.#bars = bars;
    this.#isIntraday = isIntraday;
    const { length } = bars.time;
    const kept = before === null || isNew ? 0 : sharedRows(before, bars);
    const over = (before?.time.length ?? 0) - kept;
    if (kept > 0 && Math.max(over, length - kept) <= TAIL_MAX) this.#replaceTail(bars, kept, over);
    else {
      this.#candles.setData(bars.time.map((_, row) => candleAt(bars, row)));
      this.#setVolume(bars);
    }
    this.#overlay.setTimes(bars.time);
    if ((isNew || this.#isPlacing) && length > 0) this.showNewest();
  }

  /** Brings the newest bars into view; those of the evening only where the regular session fits beside them. */
  showNewest(): void {
    const width = Math.max(this.#chart.timeScale().width(), 1);
    const share = Math.min(ROOM_PX / width, ROOM_SHARE_MAX);
    const length = Math.max(this.#bars?.time.length ?? 0, BARS_SHOWN_MIN);
    const shown = Math.min(Math.round((width * (1 - share)) / BAR_PX), BARS_SHOWN_MAX, length);
    const room = (shown * share) / (1 - share);
    const end = this.#isIntraday ? endOfView(this.#bars?.time ?? [], shown) : (this.#bars?.time.length ?? 0);
    this.#chart.timeScale().setVisibleLogicalRange({ from: end - shown, to: end + room });
    this.#isPlacing = true;
    requestAnimationFrame(() => {
      this.#isPlacing = false;
    });
  }

  /** Brings a stretch into the middle of the view, with as many bars around it as there is room for. */
  showSpan(from: number, to: number): void {
    const times = this.#bars?.time ?? [];
    const [first, last] = [indexAt(times, from), indexAt(times, to)];
    const width = Math.max(this.#chart.timeScale().width(), 1);
    const shown = Math.max(Math.min(Math.round(width / BAR_PX), BARS_SHOWN_MAX), (last - first) * 1.2);
    const middle = (first + last) / 2;
    this.#chart.timeScale().setVisibleLogicalRange({ from: middle - shown / 2, to: middle + shown / 2 });
    this.#isPlacing = false;
  }

  showOverlay(content: OverlayContent): void {
    const before = this.#setup;
    this.#overlay.show(content);
    // The whole of a setup comes into view.
    if (this.#setup !== before) this.#candles.priceScale().applyOptions({ autoScale: true });
  }

  get #setup(): DrawnSetup | undefined {
    const { setups, selected } = this.#overlay.content;
    return setups.find(({ id }) => selected.has(id));
  }

  /** Where things are drawn, for tests: places in pixels of the pane. */
  get drawn(): {
    readonly content: OverlayContent;
    readonly bars: ChartBars | null;
    readonly labels: readonly LabelBox[];
    /** Numbers of the first and the last bar in view. */
    readonly view: { readonly from: number; readonly to: number } | null;
    yOf(price: number): number | null;
  } {
    return {
      content: this.#overlay.content,
      bars: this.#bars,
      labels: this.#overlay.labels,
      view: this.#chart.timeScale().getVisibleLogicalRange(),
      yOf: (price) => this.#candles.priceToCoordinate(price),
    };
  }

  /** The range of the visible bars without spikes. */
  #scaled(info: AutoscaleInfo | null): AutoscaleInfo | null {
    const visible = this.#chart.timeScale().getVisibleLogicalRange();
    if (info === null || this.#bars === null || visible === null) return info;
    const { high, low, close } = this.#bars;
    let [minValue, maxValue] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const last = Math.min(Math.ceil(visible.to), close.length - 1);
    for (let row = Math.max(0, Math.floor(visible.from)); row <= last; row++) {
      const before = close[row - 1] ?? close[row]!;
      const top = Math.max(close[row]!, before);
      const bottom = Math.min(close[row]!, before);
      maxValue = Math.max(maxValue, high[row]! > top * SPIKE ? top : high[row]!);
      minValue = Math.min(minValue, low[row]! * SPIKE < bottom ? bottom : low[row]!);
    }
    if (minValue > maxValue) return info;
    const setup = this.#setup;
    if (setup !== undefined) {
      minValue = Math.min(minValue, setup.stop, setup.target);
      maxValue = Math.max(maxValue, setup.stop, setup.target);
    }
    const [middle, reach] = [(minValue + maxValue) / 2, (maxValue - minValue) / 2];
    const half = Math.max(reach, (middle * RANGE_MIN) / 2);
    return { ...info, priceRange: { minValue: middle - half, maxValue: middle + half } };
  }

  #setVolume(bars: ChartBars): void {
    const volumeAt = volumes(bars);
    this.#volume.setData(bars.time.map((_, row) => volumeAt(row)));
  }

  /** Puts the last rows in place of those that were last; the library lays everything out anew for a whole series. */
  #replaceTail(bars: ChartBars, kept: number, over: number): void {
    if (over > 0) {
      this.#candles.pop(over);
      this.#volume.pop(over);
    }
    const volumeAt = volumes(bars);
    for (let row = kept; row < bars.time.length; row++) {
      this.#candles.update(candleAt(bars, row));
      this.#volume.update(volumeAt(row));
    }
  }

  #pointedAt({ point, logical, paneIndex }: MouseEventParams): Pointed {
    if (point === undefined) return NOTHING;
    const bar = logical === undefined ? null : Math.min(logical, (this.#bars?.time.length ?? 0) - 1);
    if (paneIndex !== 0) return { ...NOTHING, bar };
    const label = this.#labelAt(point.x, point.y);
    const levels = label?.levels ?? this.#levelsAt(point.y);
    return { bar, levels, event: this.#eventAt(point.x, point.y), label };
  }

  #labelAt(x: number, y: number): LabelBox | null {
    const near = this.#overlay.labels.filter(
      (label) => x >= label.left && x <= label.right && Math.abs(label.y - y) <= REACH_PX * 2,
    );
    return near.toSorted((a, b) => Math.abs(a.y - y) - Math.abs(b.y - y))[0] ?? null;
  }

  /** The nearest line, with others at its price. */
  #levelsAt(y: number): readonly DrawnLevel[] {
    const away = ({ price }: DrawnLevel): number =>
      Math.abs((this.#candles.priceToCoordinate(price) ?? Number.POSITIVE_INFINITY) - y);
    const near = this.#overlay.content.levels.filter((level) => away(level) < REACH_PX);
    const nearest = near.toSorted((a, b) => away(a) - away(b))[0];
    return near.filter(({ price }) => price === nearest?.price);
  }

  #eventAt(x: number, y: number): string | null {
    const height = this.#chart.panes()[0]!.getHeight();
    if (y < height - 40) return null;
    const scale = this.#chart.timeScale();
    const near = this.#overlay.content.events.find(({ time }) => {
      const place = scale.timeToCoordinate(time);
      return place !== null && Math.abs(place - x) <= REACH_PX;
    });
    return near?.id ?? null;
  }
}
