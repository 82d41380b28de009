import { normalCdf, normalDensity } from './normal.ts';
import { legendreNodes } from './quadrature.ts';

/**
 * What the right to exercise a put early is worth, by the boundary below which it is exercised: an integral equation
 * solved by fixed-point iteration on a few Chebyshev nodes, then one integral for the premium.
 *
 * Source: L. Andersen, M. Lake, D. Offengenden, "High-performance American option pricing", Journal of Computational
 * Finance 20 (2016): system FP-B, ln^2(boundary) interpolated in sqrt(time), Legendre quadrature in sqrt(time left).
 * The first guess is the boundary of G. Barone-Adesi, R. Whaley, "Efficient analytic approximation of American option
 * values" (1987).
 */

/** Nodes in time at which the boundary is looked for; one more lies at the expiration, where it is known. */
const NODES = 5;
/** Points of the integral in each equation, and of the integral of the premium. */
const BOUNDARY_POINTS = 6;
const PREMIUM_POINTS = 12;
/** Rounds of the iteration; each takes about four fifths of the error away. */
const MOST_ROUNDS = 4;
/** A boundary that has moved less than this, relative to itself, moves the premium by its square. */
const SETTLED = 1e-3;
const GUESS_STEPS = 4;

const boundaryRule = legendreNodes(BOUNDARY_POINTS);
const premiumRule = legendreNodes(PREMIUM_POINTS);
/** Square root of a node's time over that of the expiration, from 1 down. */
const nodeRoot = Float64Array.from(
  { length: NODES },
  (_, node) => 0.5 * (1 + Math.cos((node * Math.PI) / NODES)),
);
/** What each node adds to the interpolated value at each point: points lie at fixed shares of the nodes' times. */
const boundaryWeights = interpolationWeights(
  Array.from(nodeRoot).flatMap((root) => Array.from(boundaryRule.node, (y) => root * rootLeft(y))),
);
const premiumWeights = interpolationWeights(Array.from(premiumRule.node, rootLeft));

/** Distance of the boundary below its limit at each node as a logarithm, 0 or less, and its square. */
const distance = new Float64Array(NODES);
const next = new Float64Array(NODES);
const square = new Float64Array(NODES);
/** Weights of the integrals at each point of each node, with growth at the rate and at the yield. */
const atRate = new Float64Array(NODES * BOUNDARY_POINTS);
const atYield = new Float64Array(NODES * BOUNDARY_POINTS);

/**
 * Premium over the European put, dollars a share. Called only where a put can be worth exercising and the boundary is
 * one: `rate` above 0, or 0 with a yield below it.
 *
 * @returns NaN when the spot lies at or below the boundary, where the put is worth strike less spot
 */
export function earlyExercisePremium(
  spot: number,
  strike: number,
  years: number,
  volatility: number,
  rate: number,
  dividendYield: number,
): number {
  const limit = dividendYield > rate ? (strike * rate) / dividendYield : strike;
  guessBoundary(strike, limit, years, volatility, rate, dividendYield);
  weighPoints(years, rate, dividendYield);
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const moved = improve(Math.log(limit / strike), years, volatility, rate, dividendYield);
    if (moved < SETTLED) break;
  }
  for (let node = 0; node < NODES; node++) square[node] = distance[node]! * distance[node]!;
  const above = Math.log(spot / limit);
  if (above <= distance[0]!) return Number.NaN;
  return premiumAbove(above, spot, strike, years, volatility, rate, dividendYield);
}

/** The quadratic approximation's boundary at every node, by Newton from its authors' seed, the longest time first. */
function guessBoundary(
  strike: number,
  limit: number,
  years: number,
  volatility: number,
  rate: number,
  dividendYield: number,
): void {
  const variance = volatility * volatility;
  const lean = (2 * (rate - dividendYield)) / variance - 1;
  const perpetualRoot = -0.5 * (lean + Math.sqrt(lean * lean + (8 * rate) / variance));
  const perpetual = rate > 0 ? Math.min(limit, strike / (1 - 1 / perpetualRoot)) : 0;
  let boundary = 0;
  for (let node = 0; node < NODES; node++) {
    const time = years * nodeRoot[node]! * nodeRoot[node]!;
    const deviation = volatility * Math.sqrt(time);
    const reach = (((rate - dividendYield) * time - 2 * deviation) * strike) / (strike - perpetual);
    const seed = perpetual + (strike - perpetual) * Math.exp(reach);
    // It only rises as time runs out, so that the boundary of the longer time before is a floor.
    boundary = Math.max(boundary, perpetual + 0.02 * (limit - perpetual), Math.min(0.999 * limit, seed));
    boundary = approximateBoundary(boundary, perpetual, strike, limit, time, volatility, rate, dividendYield);
    distance[node] = Math.min(Math.log(boundary / limit), 0);
  }
}

function approximateBoundary(
  seed: number,
  floor: number,
  strike: number,
  limit: number,
  time: number,
  volatility: number,
  rate: number,
  dividendYield: number,
): number {
  const variance = volatility * volatility;
  const deviation = volatility * Math.sqrt(time);
  const lean = (2 * (rate - dividendYield)) / variance - 1;
  const interest = rate === 0 ? 1 / time : -rate / Math.expm1(-rate * time);
  const root = -0.5 * (lean + Math.sqrt(lean * lean + (8 * interest) / variance));
  const perStrike = strike * Math.exp(-rate * time);
  const perSpot = Math.exp(-dividendYield * time);
  const drift = (rate - dividendYield + 0.5 * variance) * time;
  let boundary = seed;
  for (let step = 0; step < GUESS_STEPS; step++) {
    const d1 = (Math.log(boundary / strike) + drift) / deviation;
    const below = perSpot * normalCdf(-d1);
    const put = perStrike * normalCdf(deviation - d1) - boundary * below;
    const missing = (1 - below) * boundary + root * (strike - boundary - put);
    const slope = (1 - below) * (1 - root) + (perSpot * normalDensity(d1)) / deviation;
    let moved = boundary - missing / slope;
    if (moved > limit) moved = 0.5 * (boundary + limit);
    else if (!(moved > floor)) moved = 0.5 * (boundary + floor);
    const change = Math.abs(moved - boundary);
    boundary = moved;
    if (change < 1e-3 * boundary) break;
  }
  return boundary;
}

/** What the points of every equation weigh: the same in every round. */
function weighPoints(years: number, rate: number, dividendYield: number): void {
  for (let node = 0, at = 0; node < NODES; node++) {
    const time = years * nodeRoot[node]! * nodeRoot[node]!;
    for (let point = 0; point < BOUNDARY_POINTS; point++, at++) {
      const half = 0.5 * (1 + boundaryRule.node[point]!);
      const since = time * (1 - half * half);
      const weight = boundaryRule.weight[point]! * time * half;
      atRate[at] = weight * rate * Math.exp(rate * since);
      atYield[at] = dividendYield === 0 ? 0 : weight * dividendYield * Math.exp(dividendYield * since);
    }
  }
}

/**
 * One round of the fixed-point iteration over all nodes.
 *
 * @param limitOverStrike logarithm
 * @returns the largest move of a node's logarithm
 */
function improve(
  limitOverStrike: number,
  years: number,
  volatility: number,
  rate: number,
  dividendYield: number,
): number {
  for (let node = 0; node < NODES; node++) square[node] = distance[node]! * distance[node]!;
  const drift = rate - dividendYield + 0.5 * volatility * volatility;
  let most = 0;
  for (let node = 0, at = 0; node < NODES; node++) {
    const root = nodeRoot[node]! * Math.sqrt(years);
    const time = root * root;
    const own = distance[node]!;
    const deviation = volatility * root;
    const d1 = (own + limitOverStrike + drift * time) / deviation;
    let over = normalCdf(d1 - deviation);
    let under = normalCdf(d1);
    for (let point = 0; point < BOUNDARY_POINTS; point++, at++) {
      const half = 0.5 * (1 + boundaryRule.node[point]!);
      const left = deviation * half;
      const d = (own + interpolated(boundaryWeights, at) + drift * time * half * half) / left;
      over += atRate[at]! * normalCdf(d - left);
      if (dividendYield !== 0) under += atYield[at]! * normalCdf(d);
    }
    const moved = Math.log(over / under) - limitOverStrike - (rate - dividendYield) * time;
    // A yield below 0 can make a poor boundary's equation senseless; it then stays where it was for a round.
    next[node] = Number.isNaN(moved) ? own : Math.min(moved, 0);
    most = Math.max(most, Math.abs(next[node]! - own));
  }
  distance.set(next);
  return most;
}

/** @param above ln(spot / limit) */
function premiumAbove(
  above: number,
  spot: number,
  strike: number,
  years: number,
  volatility: number,
  rate: number,
  dividendYield: number,
): number {
  const root = Math.sqrt(years);
  const drift = rate - dividendYield + 0.5 * volatility * volatility;
  let premium = 0;
  for (let point = 0; point < PREMIUM_POINTS; point++) {
    const half = 0.5 * (1 + premiumRule.node[point]!);
    const time = years * half * half;
    const deviation = volatility * root * half;
    const d1 = (above + interpolated(premiumWeights, point) + drift * time) / deviation;
    let flow = rate * strike * Math.exp(-rate * time) * normalCdf(deviation - d1);
    if (dividendYield !== 0) flow -= dividendYield * spot * Math.exp(-dividendYield * time) * normalCdf(-d1);
    premium += premiumRule.weight[point]! * years * half * flow;
  }
  return premium;
}

/** How far the boundary lies below its limit at a point, as a logarithm of 0 or more. */
function interpolated(weights: Float64Array, point: number): number {
  let sum = 0;
  for (let node = 0, at = point * NODES; node < NODES; node++, at++) sum += weights[at]! * square[node]!;
  return sum > 0 ? Math.sqrt(sum) : 0;
}

/** Square root of the share of time that is left at a Legendre node. */
function rootLeft(y: number): number {
  const half = 0.5 * (1 + y);
  return Math.sqrt(1 - half * half);
}

/** Weights of Chebyshev's barycentric interpolation at roots of time between 0 and 1; the node at 0 holds a 0. */
function interpolationWeights(roots: readonly number[]): Float64Array {
  const weights = new Float64Array(roots.length * NODES);
  for (const [point, root] of roots.entries()) {
    const shares = Array.from({ length: NODES + 1 }, (_, node) => {
      const end = node === 0 || node === NODES ? 0.5 : 1;
      return (node % 2 === 0 ? end : -end) / (2 * root - 1 - Math.cos((node * Math.PI) / NODES));
    });
    const sum = shares.reduce((total, share) => total + share, 0);
    for (let node = 0; node < NODES; node++) weights[point * NODES + node] = shares[node]! / sum;
  }
  return weights;
}
