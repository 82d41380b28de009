import type { PeerGraph } from './peer-graph.ts';
import { type CountedPeers, type PeerWalk, STEPS } from './walk.ts';

/** What the peers of every stock come to, by scale. */
export interface Diffused {
  /** The return that a stock's peers imply, itself left out, as a fraction; NaN where none of them has a return. */
  readonly implied: readonly Float64Array[];
  /** Peers with a return and a share of the walk that is not negligible. */
  readonly peers: readonly Uint32Array[];
}

/** Carries returns along a walk; made once for a walk, so that a call allocates its answer and nothing else. */
export type Diffusion = (returns: Float64Array) => Diffused;

/**
 * The return that the peers of each stock imply, at every scale. With x the returns, 0 where one is missing, m the
 * presence of a return, and P the power of the lazy walk that belongs to the scale:
 *
 * implied(s) = (P x - P(s,s) x)(s) / (P m - P(s,s) m)(s)
 *
 * The walk's way back to the stock itself is taken out of a power by its diagonal, which is what leaving the stock out of
 * its own mean comes to; the weights of the peers that are there are renormalised to 1 by the denominator. A step is one
 * pass over the edges for all scales, since a farther scale goes on where a nearer one ended.
 */
export function openDiffusion({ graph, chance, returning, counted }: PeerWalk): Diffusion {
  const { stocks } = graph;
  let now = new Float64Array(stocks);
  let next = new Float64Array(stocks);
  let pairsNow = new Float64Array(2 * stocks);
  let pairsNext = new Float64Array(2 * stocks);

  function diffuseAll(returns: Float64Array, implied: readonly Float64Array[]): void {
    now.set(returns);
    let scale = 0;
    for (let step = 1; scale < STEPS.length; step++) {
      stepReturns(graph, chance, now, next);
      [now, next] = [next, now];
      if (step !== STEPS[scale]) continue;
      const back = returning[scale]!;
      const into = implied[scale++]!;
      for (let stock = 0; stock < stocks; stock++) {
        into[stock] = (now[stock]! - back[stock]! * returns[stock]!) / (1 - back[stock]!);
      }
    }
  }

  function diffusePresent(returns: Float64Array, implied: readonly Float64Array[]): void {
    for (let stock = 0; stock < stocks; stock++) {
      const isMissing = Number.isNaN(returns[stock]!);
      pairsNow[2 * stock] = isMissing ? 0 : returns[stock]!;
      pairsNow[2 * stock + 1] = isMissing ? 0 : 1;
    }
    let scale = 0;
    for (let step = 1; scale < STEPS.length; step++) {
      stepPairs(graph, chance, pairsNow, pairsNext);
      [pairsNow, pairsNext] = [pairsNext, pairsNow];
      if (step !== STEPS[scale]) continue;
      const back = returning[scale]!;
      const into = implied[scale++]!;
      for (let stock = 0; stock < stocks; stock++) {
        const isMissing = Number.isNaN(returns[stock]!);
        const own = isMissing ? 0 : back[stock]! * returns[stock]!;
        const ownShare = isMissing ? 0 : back[stock]!;
        into[stock] = (pairsNow[2 * stock]! - own) / (pairsNow[2 * stock + 1]! - ownShare);
      }
    }
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

/**
 * One step of the walk, backwards: each stock takes half its own figure and half the mean of its peers'. Four sums a row,
 * since one alone waits for its own last addition at every edge.
 */
function stepReturns(
  { stocks, rowStart, peer }: PeerGraph,
  chance: Float64Array,
  now: Float64Array,
  into: Float64Array,
): void {
  let at = 0;
  for (let stock = 0; stock < stocks; stock++) {
    const end = rowStart[stock + 1]!;
    let one = now[stock]! / 2;
    let two = 0;
    let three = 0;
    let four = 0;
    for (const last = end - 3; at < last; at += 4) {
      one += chance[at]! * now[peer[at]!]!;
      two += chance[at + 1]! * now[peer[at + 1]!]!;
      three += chance[at + 2]! * now[peer[at + 2]!]!;
      four += chance[at + 3]! * now[peer[at + 3]!]!;
    }
    for (; at < end; at++) one += chance[at]! * now[peer[at]!]!;
    into[stock] = one + two + (three + four);
  }
}

/** The same of returns and of their presence side by side: what is missing costs no second pass over the edges. */
function stepPairs(
  { stocks, rowStart, peer }: PeerGraph,
  chance: Float64Array,
  now: Float64Array,
  into: Float64Array,
): void {
  let at = 0;
  for (let stock = 0; stock < stocks; stock++) {
    const end = rowStart[stock + 1]!;
    let sum = now[2 * stock]! / 2;
    let share = now[2 * stock + 1]! / 2;
    let otherSum = 0;
    let otherShare = 0;
    for (const last = end - 1; at < last; at += 2) {
      const by = chance[at]!;
      const place = 2 * peer[at]!;
      const otherBy = chance[at + 1]!;
      const otherPlace = 2 * peer[at + 1]!;
      sum += by * now[place]!;
      share += by * now[place + 1]!;
      otherSum += otherBy * now[otherPlace]!;
      otherShare += otherBy * now[otherPlace + 1]!;
    }
    for (; at < end; at++) {
      const by = chance[at]!;
      const place = 2 * peer[at]!;
      sum += by * now[place]!;
      share += by * now[place + 1]!;
    }
    into[2 * stock] = sum + otherSum;
    into[2 * stock + 1] = share + otherShare;
  }
}

/** How many of each stock's peers have a return; counted from whichever side is smaller, those present or those missing. */
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
