import type { FactorPath, MarketPath } from './simulated-market-path.ts';
import { type Stream, streamFor } from './simulated-random.ts';
import type { Timeline } from './simulated-timeline.ts';

export const MINUTE_MS = 60_000;

/** How a regular session of a given number of minutes is shaped, minute by minute. */
interface SessionShape {
  /** Share of the session's volume; they sum to one: the U of a busy open and a busier close. */
  readonly volume: Float64Array;
  /**
   * Standard deviation relative to the session's; the squares sum to one. Lively at the open, calm at noon.
   */
  readonly sigma: Float64Array;
  /** Sum of the squares up to the end of each minute. */
  readonly varianceSoFar: Float64Array;
}

const shapes = new Map<number, SessionShape>();

/** The shape of a regular session of so many minutes. */
export const sessionShape = (minutes: number): SessionShape =>
  shapes.getOrInsertComputed(minutes, () => newShape(minutes));

function newShape(minutes: number): SessionShape {
  const volume = new Float64Array(minutes);
  const sigma = new Float64Array(minutes);
  const varianceSoFar = new Float64Array(minutes);
  for (let k = 0; k < minutes; k++) {
    const toEnd = minutes - 1 - k;
    const fromMiddle = (2 * k + 1) / minutes - 1;
    const auction = k === 0 ? 3 : toEnd === 0 ? 5 : 0;
    volume[k] =
      0.55 + 0.5 * fromMiddle * fromMiddle + 1.7 * Math.exp(-k / 18) + 1.1 * Math.exp(-toEnd / 14) + auction;
    sigma[k] = 0.75 + 1.5 * Math.exp(-k / 22) + 0.3 * Math.exp(-toEnd / 20);
  }
  const volumeSum = volume.reduce((sum, share) => sum + share, 0);
  const variance = sigma.reduce((sum, part) => sum + part * part, 0);
  let soFar = 0;
  for (let k = 0; k < minutes; k++) {
    volume[k] = volume[k]! / volumeSum;
    sigma[k] = sigma[k]! / Math.sqrt(variance);
    soFar += sigma[k]! * sigma[k]!;
    varianceSoFar[k] = soFar;
  }
  return { volume, sigma, varianceSoFar };
}

/**
 * Share of a pre-market's (`before`) or after-hours' trades that falls into a minute; they sum to about one.
 */
export function extendedShare(minute: number, minutes: number, before: boolean): number {
  const distance = before ? minutes - 1 - minute : minute;
  // Trading gathers towards the open and ebbs away after the close, over about an hour.
  return (0.15 + Math.exp(-distance / 55)) / (0.15 * minutes + 55);
}

/** Log price of the common factors at the end of each minute of one regular session, from 0 at its open. */
export interface FactorMinutes {
  readonly market: Float64Array;
  readonly sectors: readonly Float64Array[];
}

/**
 * Minute paths of market and sectors, each made once and kept; all companies of a day move along the same
 * ones.
 */
export function factorMinutes(
  seed: number,
  timeline: Timeline,
  path: MarketPath,
): (session: number) => FactorMinutes {
  const market = streamFor(seed, 'market', 'minutes');
  const sectors = path.sectors.map((_, sector) => streamFor(seed, `sector ${sector}`, 'minutes'));
  const kept = new Map<number, FactorMinutes>();
  const make = (session: number): FactorMinutes => {
    const bounds = timeline.sessions[session]!;
    const shape = sessionShape((bounds.close - bounds.open) / MINUTE_MS);
    const bridge = (stream: (day: number) => Stream, factor: FactorPath): Float64Array =>
      factorBridge(stream(timeline.day[session]!), shape, factor, session);
    return {
      market: bridge(market, path.market),
      sectors: path.sectors.map((factor, sector) => bridge(sectors[sector]!, factor)),
    };
  };
  return (session) => kept.getOrInsertComputed(session, make);
}

function factorBridge(
  stream: Stream,
  shape: SessionShape,
  factor: FactorPath,
  session: number,
): Float64Array {
  const walk = new Float64Array(shape.sigma.length);
  let sum = 0;
  for (let k = 0; k < walk.length; k++) {
    sum += factor.intradaySigma[session]! * shape.sigma[k]! * stream.normal();
    walk[k] = sum;
  }
  const excess = sum - factor.intraday[session]!;
  for (let k = 0; k < walk.length; k++) walk[k] = walk[k]! - excess * shape.varianceSoFar[k]!;
  return walk;
}
