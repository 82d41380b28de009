import type { RowRange } from '../sessions.ts';
import { BLOCK_COUNT, blockOfDay, fillBlocks, OUT_OF_SAMPLE, type Split, WALK_FORWARD } from './blocks.ts';
import { type Curves, curvesOf, figuresOf, partSeries, seriesOf, sessionPlaces, summed } from './curves.ts';
import { metricsOf, moments, sessionSharpe } from './metrics.ts';
import { deflation, overfitting } from './overfitting.ts';
import {
  type BacktestPartial,
  DAY_KINDS,
  DIRECTIONS,
  dayKindOfGroup,
  directionOfGroup,
  FIGURE_COUNT,
  SESSION_OUTCOMES,
  type SessionOutcome,
  typeOfGroup,
} from './partial.ts';
import type {
  BacktestResult,
  CellResult,
  Metrics,
  ParameterSet,
  Part,
  SplitResult,
  TopResult,
} from './result.ts';
import { type BacktestSpec, cellCount } from './spec.ts';

type Merged = Readonly<ReturnType<typeof merge>>;

/**
 * The result of a run: partials are added in the order of their symbols, whichever thread finishes first.
 *
 * @throws RangeError for no partials, two of one symbol, or partials of different specs
 */
export function mergePartials(partials: readonly BacktestPartial[]): BacktestResult {
  const merged = merge(sortedPartials(partials));
  const { spec, cells, curves } = merged;
  const grid = gridOf(
    merged,
    curves,
    figuresOf(merged.groupFigures, cells, () => true),
  );
  const ranking = ranked(grid);
  const deflate = deflation(curves);
  return {
    symbols: merged.partials.map(({ symbol }) => symbol),
    sessions: merged.days.length,
    outcomes: outcomesOf(merged.partials),
    grid,
    top: ranking.slice(0, spec.topN).map((cell) => topResult(merged, grid, cell, deflate.of(cell))),
    bestBySignalType: spec.signalTypes.map((signalType, type) => ({
      signalType,
      best: bestOfType(merged, type),
    })),
    outOfSample: split(merged, OUT_OF_SAMPLE),
    walkForward: WALK_FORWARD.map((fold) => split(merged, fold)).filter((fold) => fold !== null),
    overfitting: overfitting(curves, merged.blockOf, spec, grid, ranking[0] ?? -1, deflate),
  };
}

function sortedPartials(partials: readonly BacktestPartial[]): BacktestPartial[] {
  if (partials.length === 0) throw new RangeError('a run has at least one partial');
  // Code units, not the locale's order: the same sums on every machine.
  const sorted = partials.toSorted((one, other) => (one.symbol < other.symbol ? -1 : 1));
  const spec = JSON.stringify(sorted[0]!.spec);
  for (const [at, partial] of sorted.entries()) {
    if (partial.symbol === sorted[at - 1]?.symbol) throw new RangeError(`two partials of ${partial.symbol}`);
    if (JSON.stringify(partial.spec) !== spec) throw new RangeError(`${partial.symbol} is of another run`);
  }
  return sorted;
}

function merge(partials: readonly BacktestPartial[]) {
  const { spec } = partials[0]!;
  const tradeDays = spec.tradeDays.length;
  const { places, days } = sessionPlaces(partials);
  return {
    spec,
    cells: cellCount(spec),
    partials,
    places,
    /** Trade days of the spec, by index, on which a symbol was processed. */
    days,
    curves: curvesOf(partials, places, days.length, () => true),
    groupFigures: summed(partials.map(({ groupFigures }) => groupFigures)),
    blockFigures: summed(partials.map(({ blockFigures }) => blockFigures)),
    /** Block of each processed session; null when the sessions do not fill every block. */
    blockOf: fillBlocks(days, tradeDays) ? Uint8Array.from(days, (day) => blockOfDay(day, tradeDays)) : null,
  };
}

function outcomesOf(partials: readonly BacktestPartial[]): Record<SessionOutcome, number> {
  const counts = SESSION_OUTCOMES.map((outcome) => [
    outcome,
    partials.reduce((sum, { outcomes }) => sum + outcomes[outcome], 0),
  ]);
  return Object.fromEntries(counts) as Record<SessionOutcome, number>;
}

export function parameterSet({ stops, targets }: BacktestSpec, cell: number): ParameterSet {
  return { stopAtr: stops[Math.floor(cell / targets.length)]!, targetAtr: targets[cell % targets.length]! };
}

function gridOf({ spec, cells }: Merged, curves: Curves, figures: Float64Array): CellResult[] {
  return Array.from({ length: cells }, (_, cell) => ({
    parameterSet: parameterSet(spec, cell),
    ...metricsOf(seriesOf(curves, cell), figures, cell * FIGURE_COUNT),
  }));
}

/** Cells with a Sharpe ratio, best first; of equals the tighter stop, then the nearer target. */
function ranked(grid: readonly CellResult[]): number[] {
  return [...grid.keys()]
    .filter((cell) => grid[cell]!.sharpeRatio !== null)
    .sort((one, other) => grid[other]!.sharpeRatio! - grid[one]!.sharpeRatio! || one - other);
}

function topResult(
  merged: Merged,
  grid: readonly CellResult[],
  cell: number,
  deflatedSharpeRatio: number | null,
): TopResult {
  return {
    ...grid[cell]!,
    deflatedSharpeRatio,
    inSample: metricsOfBlocks(merged, cell, OUT_OF_SAMPLE.choose),
    outOfSample: metricsOfBlocks(merged, cell, OUT_OF_SAMPLE.test),
    bySignalType: partsOf(merged, cell, merged.spec.signalTypes, typeOfGroup),
    byDirection: partsOf(merged, cell, DIRECTIONS, directionOfGroup),
    byDayType: partsOf(merged, cell, DAY_KINDS, dayKindOfGroup),
  };
}

/** A cell's trades by part. Every session counts in every part, with 0 where it has no such trade. */
function partsOf<Name extends string>(
  { partials, places, days, groupFigures, cells }: Merged,
  cell: number,
  names: readonly Name[],
  partOf: (group: number) => number,
): Part<Name>[] {
  const series = partSeries(partials, places, days.length, cell, names.length, partOf);
  const size = cells * FIGURE_COUNT;
  return names.map((name, part) => {
    const figures = new Float64Array(FIGURE_COUNT);
    for (let group = 0; group * size < groupFigures.length; group++) {
      if (partOf(group) !== part) continue;
      for (let at = 0; at < FIGURE_COUNT; at++) {
        figures[at]! += groupFigures[group * size + cell * FIGURE_COUNT + at]!;
      }
    }
    return { name, ...metricsOf(series[part]!, figures) };
  });
}

function bestOfType(merged: Merged, type: number): CellResult | null {
  const keeps = (group: number): boolean => typeOfGroup(group) === type;
  const curves = curvesOf(merged.partials, merged.places, merged.days.length, keeps);
  const grid = gridOf(merged, curves, figuresOf(merged.groupFigures, merged.cells, keeps));
  const best = ranked(grid)[0];
  return best === undefined ? null : grid[best]!;
}

/** Rows of the processed sessions in some blocks. */
function sessionsOf(blockOf: Uint8Array, { from, to }: RowRange): RowRange {
  const first = blockOf.findIndex((block) => block >= from);
  return { from: first, to: to === BLOCK_COUNT ? blockOf.length : blockOf.findIndex((block) => block >= to) };
}

function metricsOfBlocks(merged: Merged, cell: number, blocks: RowRange): Metrics | null {
  const { blockOf, curves, blockFigures, cells } = merged;
  if (blockOf === null) return null;
  const figures = figuresOf(blockFigures, cells, (block) => block >= blocks.from && block < blocks.to);
  return metricsOf(seriesOf(curves, cell, sessionsOf(blockOf, blocks)), figures, cell * FIGURE_COUNT);
}

/** The best cell of the earlier blocks and its result on the later ones; null without a best cell. */
function split(merged: Merged, { choose, test }: Split): SplitResult | null {
  const { blockOf, curves, cells, spec, days } = merged;
  if (blockOf === null) return null;
  const range = sessionsOf(blockOf, choose);
  let best = -1;
  let greatest = Number.NEGATIVE_INFINITY;
  for (let cell = 0; cell < cells; cell++) {
    const sharpe = sessionSharpe(moments(seriesOf(curves, cell, range)));
    if (!(sharpe > greatest)) continue;
    best = cell;
    greatest = sharpe;
  }
  if (best === -1) return null;
  return {
    parameterSet: parameterSet(spec, best),
    chosenOn: metricsOfBlocks(merged, best, choose)!,
    testFrom: spec.tradeDays[days[sessionsOf(blockOf, test).from]!]!,
    tested: metricsOfBlocks(merged, best, test)!,
  };
}
