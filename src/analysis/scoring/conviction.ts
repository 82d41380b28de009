import { MINUTE_MS } from '../sessions.ts';
import { mean, squaresAround } from '../statistics.ts';
import { COMPONENT_NAMES, COMPONENTS, type ComponentName, type ScoreTable, scorePair } from './components.ts';
import { FAST_INPUTS, type InputName, type ScoreInputs } from './inputs.ts';
import { netScore } from './ledger.ts';
import { fastInputs, lastBarEnd, priceAt, type SessionPath } from './session.ts';
import { type Bias, bias } from './tiers.ts';
import { V5_WEIGHTS } from './weights.ts';

/** The first score: the five-minute opening range has closed. */
export const FIRST_SCORE_MINUTES = 5;
/** From then on one at every half hour of the session. */
export const STEP_MINUTES = 30;
export const LOOKBACK_MINUTES = 60;
/** A score is fresh while its newest bar ended at most so long before it. */
export const FRESH_MINUTES = 15;
/** A deviation of this many points over the session is no stability at all. */
export const UNSTABLE_POINTS = 25;

interface Point {
  readonly time: number;
  readonly net: number;
  readonly side: Bias;
}

const isFast = (name: ComponentName): boolean => {
  const { bull, bear } = COMPONENTS[name].inputs;
  const names: readonly InputName[] = [...bull, ...bear];
  return names.some((name) => (FAST_INPUTS as readonly InputName[]).includes(name));
};
const FAST_COMPONENTS = COMPONENT_NAMES.filter(isFast);

/**
 * The path of the canonical net score, -100 to 100: at 09:35, at every half hour, an hour before the end and at the end.
 * The fast inputs of each score are those of its instant, the others those of now, so the path shows the effect of the
 * session alone. Null before 09:35, without regular bars, and where the score does not exist.
 */
export function conviction(path: SessionPath, held: ScoreInputs, table: ScoreTable) {
  const { open, close } = path.input.session;
  const end = Math.min(path.input.asOf, close);
  const first = open + FIRST_SCORE_MINUTES * MINUTE_MS;
  if (end < first || path.rows.from >= path.rows.to) return null;
  const lookbackAt = Math.max(first, end - LOOKBACK_MINUTES * MINUTE_MS);
  const netAt = netScores(path, held, table);
  const points = instants(open, first, end, lookbackAt).flatMap((time): Point[] => {
    const net = netAt(time);
    const side = bias(net);
    return side === null ? [] : [{ time, net, side }];
  });
  const last = points.at(-1);
  if (last === undefined || last.time !== end) return null;
  const nets = points.map((point) => point.net);
  const before = points.find((point) => point.time === lookbackAt);
  const lookbackMinutes = (end - lookbackAt) / MINUTE_MS;
  return {
    /** At the end of the path: now, or the close once the session is over. */
    current: last.net,
    direction: last.side,
    sessionOpen: points[0]!.net,
    high: Math.max(...nets),
    low: Math.min(...nets),
    /** Net score `lookbackMinutes` before the end. */
    lookback: before?.net ?? Number.NaN,
    lookbackMinutes,
    /** Points an hour over the lookback. */
    velocity:
      lookbackMinutes > 0 ? ((last.net - (before?.net ?? Number.NaN)) / lookbackMinutes) * 60 : Number.NaN,
    /** 0 to 1. */
    stability: stability(nets),
    /** Whole minutes since the first score of the run that has the direction of the last. */
    directionMinutes: Math.floor((end - runStart(points)) / MINUTE_MS),
    directionFlip: points.some((point) => point.time >= lookbackAt && point.side !== last.side),
    deltaValid:
      before !== undefined && lookbackMinutes > 0 && isFresh(path, lookbackAt) && isFresh(path, end),
    observations: points.length,
  };
}

/** Gives the canonical net score with the fast inputs of an instant of the session; NaN where it does not exist. */
function netScores(path: SessionPath, held: ScoreInputs, table: ScoreTable): (instant: number) => number {
  const inputs = { ...held };
  const then: Record<ComponentName, ScoreTable[ComponentName]> = { ...table };
  return (instant) => {
    Object.assign(inputs, fastInputs(path, instant, priceAt(path, instant)));
    for (const name of FAST_COMPONENTS) then[name] = scorePair(name, inputs);
    return netScore(then, V5_WEIGHTS);
  };
}

/** True while the newest regular bar of the instant ended at most 15 minutes before it. */
export function isFresh(path: SessionPath, instant: number): boolean {
  return instant - lastBarEnd(path, instant) <= FRESH_MINUTES * MINUTE_MS;
}

/** Ascending and without repeats. */
function instants(open: number, first: number, end: number, lookbackAt: number): number[] {
  const times = new Set([first, lookbackAt, end]);
  for (let time = open + STEP_MINUTES * MINUTE_MS; time < end; time += STEP_MINUTES * MINUTE_MS) {
    times.add(time);
  }
  return [...times].sort((one, other) => one - other);
}

/** 1 for a score that never moved, 0 from a population deviation of 25 points on; NaN for a single score. */
function stability(nets: readonly number[]): number {
  if (nets.length < 2) return Number.NaN;
  const variance = squaresAround(mean(nets), nets) / nets.length;
  return Math.max(0, 1 - Math.sqrt(variance) / UNSTABLE_POINTS);
}

/** Time of the first point of the unbroken run of one side that ends with the last point. */
function runStart(points: readonly Point[]): number {
  const { side } = points.at(-1)!;
  const other = points.findLastIndex((point) => point.side !== side);
  return points[other + 1]!.time;
}
