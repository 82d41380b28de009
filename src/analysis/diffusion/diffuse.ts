import { type CountedPeers, type PeerWalk, STEPS } from './walk.ts';
import { openWalkBuffers } from './walk-buffers.ts';

/** What the peers of every stock imply, by scale. */
export interface Diffused {
  /** The return that a stock's peers imply, without its own, as a fraction; NaN where none of them has a return. */
  readonly implied: readonly Float64Array[];
  /** Peers with a return and a share of the walk that is not negligible. */
  readonly peers: readonly Uint32Array[];
}

/** Diffuses returns; opened once for a walk, so that a call allocates only its answer. */
export type Diffusion = (returns: Float64Array) => Diffused;

/**
 * The return that the peers of each stock imply, at every scale. With x the returns, 0 where missing, m 1 where a
 * return is present, and P the power of the lazy walk for the scale:
 *
 * implied(s) = (P x - P(s,s) x)(s) / (P m - P(s,s) m)(s)
 *
 * Subtracting the diagonal leaves the stock out of its own mean, and the denominator renormalises the weights of the
 * present peers. One pass over the edges serves all scales, since each scale continues where the one before ended.
 */
export function openDiffusion({ graph, chance, returning, counted }: PeerWalk): Diffusion {
  const { stocks } = graph;
  const memory = openWalkBuffers(graph, chance, 'pairs', STEPS);

  function diffuseAll(returns: Float64Array, implied: readonly Float64Array[]): void {
    memory.input('single').set(returns);
    memory.follow('single', (scale, now) => {
      const back = returning[scale]!;
      const into = implied[scale]!;
      for (let stock = 0; stock < stocks; stock++) {
        into[stock] = (now[stock]! - back[stock]! * returns[stock]!) / (1 - back[stock]!);
      }
    });
  }

  function diffusePresent(returns: Float64Array, implied: readonly Float64Array[]): void {
    const begin = memory.input('pairs');
    for (let stock = 0; stock < stocks; stock++) {
      const isMissing = Number.isNaN(returns[stock]!);
      begin[2 * stock] = isMissing ? 0 : returns[stock]!;
      begin[2 * stock + 1] = isMissing ? 0 : 1;
    }
    memory.follow('pairs', (scale, now) => {
      const back = returning[scale]!;
      const into = implied[scale]!;
      for (let stock = 0; stock < stocks; stock++) {
        const isMissing = Number.isNaN(returns[stock]!);
        const own = isMissing ? 0 : back[stock]! * returns[stock]!;
        const ownShare = isMissing ? 0 : back[stock]!;
        into[stock] = (now[2 * stock]! - own) / (now[2 * stock + 1]! - ownShare);
      }
    });
  }

  return (returns) => {
    const implied = STEPS.map(() => new Float64Array(stocks));
    const missing = countMissing(returns);
    if (missing === 0) diffuseAll(returns, implied);
    else diffusePresent(returns, implied);
    const peers = counted.map((rows) => presentPeers(rows, returns, missing));
    for (const [scale, counts] of peers.entries()) {
      const into = implied[scale]!;
      for (let stock = 0; stock < stocks; stock++) if (counts[stock] === 0) into[stock] = Number.NaN;
    }
    return { implied, peers };
  };
}

function countMissing(returns: Float64Array): number {
  let missing = 0;
  for (let stock = 0; stock < returns.length; stock++) if (Number.isNaN(returns[stock]!)) missing++;
  return missing;
}

/** Number of each stock's peers with a return, counted over the present or the missing returns, whichever are fewer. */
function presentPeers(
  { rowStart, by, total }: CountedPeers,
  returns: Float64Array,
  missing: number,
): Uint32Array {
  if (missing === 0) return total.slice();
  const isFewMissing = 2 * missing <= returns.length;
  const counts = isFewMissing ? total.slice() : new Uint32Array(total.length);
  const change = isFewMissing ? -1 : 1;
  for (let stock = 0; stock < returns.length; stock++) {
    if (Number.isNaN(returns[stock]!) !== isFewMissing) continue;
    for (let at = rowStart[stock]!; at < rowStart[stock + 1]!; at++) counts[by[at]!]! += change;
  }
  return counts;
}
