import { type Diffused, type Diffusion, openDiffusion } from './diffuse.ts';
import { type ReturnTable, WINDOW_SESSIONS } from './returns.ts';
import { type PeerWalk, SCALES, type Scale } from './walk.ts';

/** Weight of each scale in the composite, over the scales that have peers. */
const SCALE_WEIGHTS: Readonly<Record<Scale, number>> = { local: 0.5, medium: 0.3, broad: 0.2 };

/** With divergences on less than a quarter of the window their deviation is not known. */
const DIVERGENCES_MIN = WINDOW_SESSIONS / 4;

/** Composite, in deviations of the stock, from which it is a signal. */
export const SIGNAL_MIN = 2;

/** Score from which a peer counts as having an event. */
const OWN_EVENT_MIN = 4;
/** Change of the local score, in deviations, from which the peers that cause it dominate it. */
const SWAY_MIN = 1;
/** Share of the weight above which one peer dominates the mean. */
const ONE_PEER_SHARE = 0.5;

/** Why a divergence says little about its stock, by code. */
export const CONTAMINATIONS = ['none', 'one_peer', 'peer_events'] as const;

export type Signal = 'bullish_divergence' | 'bearish_divergence' | 'neutral';

/** The divergence of every stock; NaN where there is none. */
export interface Divergences extends Diffused {
  /** By scale, own return minus implied return, over the stock's own deviation of that difference. */
  readonly scores: readonly Float64Array[];
  readonly composite: Float64Array;
  /** Index in `CONTAMINATIONS`. */
  readonly contamination: Uint8Array;
}

/** Root mean square of each stock's divergences at each scale; NaN with too few, or where they are only rounding. */
export function divergenceDeviations(
  walk: PeerWalk,
  { stocks, sessions, values }: ReturnTable,
): Float64Array[] {
  const diffuse = openDiffusion(walk);
  const squares = SCALES.map(() => new Float64Array(stocks));
  const counts = SCALES.map(() => new Uint32Array(stocks));
  const returns = new Float64Array(stocks);
  for (let session = 0; session < sessions; session++) {
    for (let stock = 0; stock < stocks; stock++) returns[stock] = values[stock * sessions + session]!;
    for (const [scale, implied] of diffuse(returns).implied.entries()) {
      for (let stock = 0; stock < stocks; stock++) {
        const divergence = returns[stock]! - implied[stock]!;
        if (Number.isNaN(divergence)) continue;
        squares[scale]![stock]! += divergence * divergence;
        counts[scale]![stock]!++;
      }
    }
  }
  return squares.map((sums, scale) => sums.map((sum, stock) => rootMean(sum, counts[scale]![stock]!)));
}

/** A smaller deviation of returns is rounding. */
const DEVIATION_MIN = 1e-9;

function rootMean(sum: number, count: number): number {
  const deviation = Math.sqrt(sum / count);
  return count >= DIVERGENCES_MIN && deviation > DEVIATION_MIN ? deviation : Number.NaN;
}

export type DivergenceScorer = (returns: Float64Array, hasEvent?: Uint8Array) => Divergences;

/**
 * Own returns against those that peers imply, in deviations of the stock's own history; a constant cancels out.
 *
 * @param deviations by scale, as of `divergenceDeviations`
 */
export function openDivergences(walk: PeerWalk, deviations: readonly Float64Array[]): DivergenceScorer {
  const diffuse: Diffusion = openDiffusion(walk);
  return (returns, hasEvent) => {
    const diffused = diffuse(returns);
    const scores = diffused.implied.map((implied, scale) => scoresOf(returns, implied, deviations[scale]!));
    const local = { implied: diffused.implied[0]!, scores: scores[0]!, deviation: deviations[0]! };
    return {
      ...diffused,
      scores,
      composite: composites(scores),
      contamination: contaminations(walk, returns, local, hasEvent),
    };
  };
}

function scoresOf(returns: Float64Array, implied: Float64Array, deviation: Float64Array): Float64Array {
  const scores = new Float64Array(returns.length);
  for (let stock = 0; stock < scores.length; stock++) {
    scores[stock] = (returns[stock]! - implied[stock]!) / deviation[stock]!;
  }
  return scores;
}

const WEIGHTS = SCALES.map((scale) => SCALE_WEIGHTS[scale]);

function composites(scores: readonly Float64Array[]): Float64Array {
  const composite = new Float64Array(scores[0]!.length);
  for (let stock = 0; stock < composite.length; stock++) {
    let sum = 0;
    let weights = 0;
    for (let scale = 0; scale < WEIGHTS.length; scale++) {
      const score = scores[scale]![stock]!;
      if (Number.isNaN(score)) continue;
      sum += WEIGHTS[scale]! * score;
      weights += WEIGHTS[scale]!;
    }
    composite[stock] = sum / weights;
  }
  return composite;
}

type LocalScale = Readonly<Record<'implied' | 'scores' | 'deviation', Float64Array>>;

/**
 * Whether one peer, or the peers with an event, dominate the mean of a stock's direct peers. Leaving one peer out moves
 * the implied return by share x (its return - implied) / (1 - share).
 *
 * @param hasEvent 1 for a stock with a known event; a peer 4 deviations from its own peers counts as one
 */
function contaminations(
  { graph, chance }: PeerWalk,
  returns: Float64Array,
  { implied, scores, deviation }: LocalScale,
  hasEvent: Uint8Array | undefined,
): Uint8Array {
  const { stocks, rowStart, peer } = graph;
  const codes = new Uint8Array(stocks);
  const apart = apartFromPeers(scores, hasEvent);
  for (let stock = 0; stock < stocks; stock++) {
    if (Number.isNaN(scores[stock]!)) continue;
    const end = rowStart[stock + 1]!;
    const mean = implied[stock]!;
    let weights = 0;
    let heaviest = 0;
    let sway = 0;
    let apartWeight = 0;
    let apartPull = 0;
    for (let at = rowStart[stock]!; at < end; at++) {
      const other = peer[at]!;
      const weight = chance[at]!;
      const pull = weight * (returns[other]! - mean);
      if (Number.isNaN(pull)) continue;
      weights += weight;
      if (weight > heaviest) heaviest = weight;
      if (apart[other] === 0) continue;
      apartWeight += weight;
      apartPull += pull;
    }
    for (let at = rowStart[stock]!; at < end; at++) {
      const weight = chance[at]!;
      const moved = Math.abs((weight * (returns[peer[at]!]! - mean)) / (weights - weight));
      if (moved > sway) sway = moved;
    }
    const swayMin = SWAY_MIN * deviation[stock]!;
    const isApart =
      apartWeight > ONE_PEER_SHARE * weights || Math.abs(apartPull) / (weights - apartWeight) >= swayMin;
    if (heaviest > ONE_PEER_SHARE * weights || sway >= swayMin) codes[stock] = 1;
    else if (isApart) codes[stock] = 2;
  }
  return codes;
}

/** 1 for each stock with an event. */
function apartFromPeers(scores: Float64Array, hasEvent: Uint8Array | undefined): Uint8Array {
  const apart = new Uint8Array(scores.length);
  for (let stock = 0; stock < apart.length; stock++) {
    if (Math.abs(scores[stock]!) >= OWN_EVENT_MIN || hasEvent?.[stock] === 1) apart[stock] = 1;
  }
  return apart;
}

/** Strength over the peers is bullish, weakness bearish. */
export function signalOf(composite: number): Signal {
  if (composite >= SIGNAL_MIN) return 'bullish_divergence';
  return composite <= -SIGNAL_MIN ? 'bearish_divergence' : 'neutral';
}

/** The scales in a composite, e.g. `local_medium_broad`. */
export function weightConfigOf(scores: readonly Float64Array[], stock: number): string {
  return SCALES.filter((_, scale) => !Number.isNaN(scores[scale]![stock]!)).join('_');
}
