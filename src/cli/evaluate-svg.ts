import type { EvaluationReport, MeanReport } from '../api/evaluation/evaluation-report.ts';
import { number, percent } from './print.ts';
import { at, box, line, picture, text, WIDTH } from './svg.ts';

const HEIGHT = 640;
const MARGIN = { left: 76, right: 24 };
const PLOT_WIDTH = WIDTH - MARGIN.left - MARGIN.right;
const DECILES_AT = { top: 96, height: 220 };
const DATES_AT = { top: 396, height: 190 };
/** Approximate number of horizontal lines. */
const LINES = 5;
/** Dates of the moving mean that is drawn over the coefficients. */
const SMOOTH_DATES = 12;
const INK = {
  text: '#24292f',
  faint: '#d0d7de',
  bar: '#4878a8',
  error: '#24292f',
  good: '#7a9bbd',
  line: '#b3541e',
};

/** The report as a picture: returns by decile with their intervals, and the information coefficient by date. */
export function drawReport(report: EvaluationReport): string {
  const { score, horizon, symbols, dates, from, to, simulated } = report;
  const label = simulated ? ' · SIMULATED data' : '';
  const ic = report.information_coefficient;
  return picture(`${HEIGHT}`, INK.text, [
    text(MARGIN.left, 32, `${score}, next ${horizon} sessions`, 'font-size="18"'),
    text(MARGIN.left, 52, `${symbols} symbols, ${dates} dates, ${from} to ${to}${label}`),
    text(
      MARGIN.left,
      82,
      'Mean forward return by decile of the score, with 95 % intervals',
      'font-weight="bold"',
    ),
    ...drawDeciles(report.deciles),
    text(
      MARGIN.left,
      382,
      `Information coefficient by date: mean ${number(ic.mean, 4)}, t ${number(ic.t, 2)}; line: mean of ${SMOOTH_DATES} dates`,
      'font-weight="bold"',
    ),
    ...drawCoefficients(ic.by_date),
  ]);
}

interface Plot {
  readonly top: number;
  readonly height: number;
}

/** The vertical axis of a plot, and the values of its lines. */
interface Scale {
  readonly y: (value: number) => number;
  readonly ticks: readonly number[];
}

/** A scale that holds 0 and all the values, with lines at round ones. */
function scaleOf(values: readonly (number | null)[], { top, height }: Plot): Scale {
  const known = values.filter((value) => value !== null);
  const min = Math.min(0, ...known);
  const max = Math.max(0, ...known);
  // Without values, or with zeros only, a scale still needs a height.
  const step = roundStep(max > min ? (max - min) / LINES : 1 / LINES);
  const low = Math.floor(min / step) * step;
  const steps = Math.max(1, Math.ceil((max - low) / step));
  return {
    y: (value) => top + height - ((value - low) / (steps * step)) * height,
    ticks: Array.from({ length: steps + 1 }, (_, index) => low + index * step),
  };
}

/** The smallest of 1, 2, 5, 10, 20 ... and of their tenths, hundredths ... that is not under a step. */
function roundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return power * ([1, 2, 5].find((factor) => factor * power >= step * (1 - 1e-9)) ?? 10);
}

function drawDeciles(deciles: EvaluationReport['deciles']): string[] {
  const scale = scaleOf(
    deciles.flatMap(({ mean, low, high }) => [mean, low, high]),
    DECILES_AT,
  );
  const slot = PLOT_WIDTH / deciles.length;
  return [
    ...grid(scale, (value) => percent(value, 2)),
    ...deciles.flatMap((decile, index) => {
      const middle = MARGIN.left + slot * (index + 0.5);
      const name = text(
        middle,
        DECILES_AT.top + DECILES_AT.height + 18,
        `${decile.decile}`,
        'text-anchor="middle"',
      );
      return [...bar(decile, middle, slot * 0.62, scale, INK.bar), ...interval(decile, middle, scale), name];
    }),
  ];
}

function bar(
  { mean }: Pick<MeanReport, 'mean'>,
  middle: number,
  width: number,
  { y }: Scale,
  fill: string,
): string[] {
  if (mean === null) return [];
  const top = Math.min(y(0), y(mean));
  const height = Math.abs(y(mean) - y(0));
  return [box(middle - width / 2, top, width, height, `fill="${fill}"`)];
}

function interval({ low, high }: MeanReport, middle: number, { y }: Scale): string[] {
  if (low === null || high === null) return [];
  const stroke = `stroke="${INK.error}" stroke-width="1.5"`;
  const cap = (value: number): string => line(middle - 7, y(value), middle + 7, y(value), stroke);
  return [line(middle, y(low), middle, y(high), stroke), cap(low), cap(high)];
}

function drawCoefficients(byDate: EvaluationReport['information_coefficient']['by_date']): string[] {
  const scale = scaleOf(
    byDate.map(({ value }) => value),
    DATES_AT,
  );
  const slot = PLOT_WIDTH / byDate.length;
  const x = (index: number): number => MARGIN.left + slot * (index + 0.5);
  const width = Math.max(0.6, slot * 0.7);
  const smooth = movingMeans(byDate.map(({ value }) => value));
  const points = smooth.flatMap((value, index) =>
    value === null ? [] : `${at(x(index))},${at(scale.y(value))}`,
  );
  const below = DATES_AT.top + DATES_AT.height + 18;
  return [
    ...grid(scale, (value) => number(value, 2)),
    ...byDate.flatMap(({ value }, index) => bar({ mean: value }, x(index), width, scale, INK.good)),
    `<polyline points="${points.join(' ')}" fill="none" stroke="${INK.line}" stroke-width="1.5"/>`,
    text(MARGIN.left, below, byDate[0]!.date),
    text(WIDTH - MARGIN.right, below, byDate.at(-1)!.date, 'text-anchor="end"'),
  ];
}

/** Moving mean of the known values; null before the window is full. */
function movingMeans(values: readonly (number | null)[]): (number | null)[] {
  const last: number[] = [];
  return values.map((value) => {
    if (value !== null) last.push(value);
    if (last.length > SMOOTH_DATES) last.shift();
    return last.length < SMOOTH_DATES ? null : last.reduce((sum, one) => sum + one, 0) / last.length;
  });
}

function grid({ y, ticks }: Scale, form: (value: number) => string): string[] {
  const right = WIDTH - MARGIN.right;
  return [
    ...ticks.flatMap((value) => [
      line(MARGIN.left, y(value), right, y(value), `stroke="${INK.faint}"`),
      text(MARGIN.left - 8, y(value) + 4, form(value), 'text-anchor="end"'),
    ]),
    line(MARGIN.left, y(0), right, y(0), `stroke="${INK.text}"`),
  ];
}
