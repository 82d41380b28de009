import type { OptimizationRequest } from '../api/backtest/schema.ts';
import type { WireGrid } from '../backtests/optimize.ts';
import { number } from './print.ts';
import { at, box, picture, text, WIDTH } from './svg.ts';

const MARGIN = { left: 76, right: 24, top: 96, bottom: 60 };
const PLOT_WIDTH = WIDTH - MARGIN.left - MARGIN.right;
const ROW_HEIGHT_MAX = 48;
const PLOT_HEIGHT_MAX = 560;
/** Smaller cells have no figure. */
const FIGURE_ROOM = { width: 34, height: 16 };
const INK = { text: '#24292f', light: '#ffffff', none: '#eaeef2', best: '#24292f' };
/** The colour scale. */
const LOSS = [179, 84, 30] as const;
const NEUTRAL = [247, 247, 245] as const;
const GAIN = [50, 104, 160] as const;

type Colour = readonly [number, number, number];

/** The Sharpe ratio of every cell as a picture: stops downwards, targets to the right; the best cell has a frame. */
export function drawHeatMap(request: OptimizationRequest, grid: WireGrid): string {
  const {
    symbols,
    start_date,
    end_date,
    signal_types,
    stop_atr_range: stops,
    target_atr_range: targets,
  } = request;
  const width = PLOT_WIDTH / targets.length;
  const height = Math.min(ROW_HEIGHT_MAX, PLOT_HEIGHT_MAX / stops.length);
  const bottom = MARGIN.top + height * stops.length;
  const known = grid.flatMap(({ sharpe_ratio: sharpe }) => sharpe ?? []);
  const best = Math.max(...known);
  const reach = Math.max(0, ...known.map(Math.abs));
  const marked = grid.findIndex(({ sharpe_ratio: sharpe }) => sharpe === best);
  const positionOf = (cell: number) => ({
    x: MARGIN.left + width * (cell % targets.length),
    y: MARGIN.top + height * Math.floor(cell / targets.length),
  });
  const frame = marked < 0 ? null : positionOf(marked);
  return picture(at(bottom + MARGIN.bottom), INK.text, [
    text(MARGIN.left, 32, `Sharpe ratio by stop and target: ${signal_types.join(', ')}`, 'font-size="16"'),
    text(MARGIN.left, 54, `${symbols.join(', ')}, ${start_date} to ${end_date}`),
    text(
      MARGIN.left,
      78,
      'multiples of the daily ATR; grey: not defined; frame: the best of all cells, in sample',
    ),
    ...grid.flatMap(({ sharpe_ratio: sharpe }, cell) => {
      const { x, y } = positionOf(cell);
      return drawCell(x, y, width, height, sharpe, reach);
    }),
    ...(frame === null
      ? []
      : [box(frame.x, frame.y, width, height, `fill="none" stroke="${INK.best}" stroke-width="2"`)]),
    ...spread(stops, height, 14).map(([stop, row]) =>
      text(MARGIN.left - 8, MARGIN.top + height * (row + 0.5) + 4, `${stop}`, 'text-anchor="end"'),
    ),
    ...spread(targets, width, 28).map(([target, column]) =>
      text(MARGIN.left + width * (column + 0.5), bottom + 18, `${target}`, 'text-anchor="middle"'),
    ),
    text(MARGIN.left + PLOT_WIDTH / 2, bottom + 42, 'target', 'text-anchor="middle"'),
    text(14, MARGIN.top + 14, 'stop'),
  ]);
}

/** As many of the labels as have room, each with its index. */
function spread(values: readonly number[], step: number, room: number): (readonly [number, number])[] {
  const every = Math.ceil(room / step);
  return values.map((value, index) => [value, index] as const).filter(([, index]) => index % every === 0);
}

function drawCell(x: number, y: number, width: number, height: number, sharpe: number | null, reach: number) {
  const share = sharpe === null || reach === 0 ? 0 : sharpe / reach;
  const fill = sharpe === null ? INK.none : colourOf(share);
  const rectangle = box(x, y, width, height, `fill="${fill}"`);
  if (sharpe === null || width < FIGURE_ROOM.width || height < FIGURE_ROOM.height) return [rectangle];
  const ink = Math.abs(share) > 0.6 ? INK.light : INK.text;
  return [
    rectangle,
    text(x + width / 2, y + height / 2 + 4, number(sharpe, 2), `text-anchor="middle" fill="${ink}"`),
  ];
}

/** @param share -1 for the greatest loss, 1 for the greatest gain */
function colourOf(share: number): string {
  const end: Colour = share < 0 ? LOSS : GAIN;
  const weight = Math.abs(share);
  const mixed = NEUTRAL.map((value, part) => Math.round(value + (end[part]! - value) * weight));
  return `rgb(${mixed.join(',')})`;
}
