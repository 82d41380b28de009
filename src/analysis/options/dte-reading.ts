import { fall, ramp } from '../scoring/ramps.ts';
import { price } from './black-scholes.ts';
import { nearMoney } from './chain-figures.ts';
import { type Direction, DTE_RAMPS, HOLDING_SESSIONS, LIFE_MIN, type Timeframe } from './dte-axes.ts';
import type { ExpirationLife } from './expiration-life.ts';
import type { ExpirationExposure, GammaExposure } from './gamma-exposure.ts';
import type { ExpirationQuotes, PricedChain } from './quotes.ts';
import { expectedMove, type SmilePoint, type SurfaceFigures } from './surface.ts';

/** All that the evaluator reads; NaN: not known. */
export interface DteInputs {
  readonly chain: PricedChain;
  readonly smiles: readonly SmilePoint[];
  readonly surface: SurfaceFigures;
  readonly exposure: GammaExposure;
  /** Of every expiration, in their order. */
  readonly lives: readonly ExpirationLife[];
  /** Daily ATR(14), dollars. */
  readonly atr: number;
  /** Percentile of 30-day volatility in its year, percent. */
  readonly ivPercentile: number;
  /** Forecast of realised volatility, decimal. */
  readonly forecastVolatility: number;
  /** Dates of expected reports, midnight UTC. */
  readonly earningsDates: readonly number[];
  readonly timeframe: Timeframe;
  readonly direction: Direction;
}

/** What the axes of one expiration are computed from, for scores and sentences alike. */
export type DteReading = ReturnType<typeof readingOf>;

export function readingOf(inputs: DteInputs, index: number) {
  const quotes = inputs.chain.expirations[index]!;
  const smile = inputs.smiles[index]!;
  const exposure = inputs.exposure.byExpiration[index]!;
  const life = inputs.lives[index]!;
  const sign: 1 | -1 = inputs.direction === 'bullish' ? 1 : -1;
  const edge = edgeReading(inputs, quotes, smile, life, sign);
  return {
    inputs,
    quotes,
    smile,
    exposure,
    life,
    /** False when it ends before the trade would. */
    isLongEnough: life.sessionsLeft >= LIFE_MIN[inputs.timeframe],
    near: nearMoney(inputs.chain, quotes),
    sign,
    edge,
    iv: ivReading(inputs, smile, sign),
    dealer: dealerReading(inputs, exposure, edge, sign),
  };
}

/**
 * Expected travel while the trade is held, over the sum of the move to expiration that the premium implies and the move
 * that offsets time decay meanwhile. An expiration that ends before the trade is scaled by the share of the trade that
 * it lives.
 */
function edgeReading(
  { atr, chain, timeframe }: DteInputs,
  { forward, discount, years }: ExpirationQuotes,
  { atTheMoney }: SmilePoint,
  { sessionsLeft }: ExpirationLife,
  sign: 1 | -1,
) {
  // Sessions that are held, and those of them which the contracts live: a share of one on their last day.
  const holding = HOLDING_SESSIONS[timeframe];
  const lived = Math.min(holding, sessionsLeft);
  const travel = atr * Math.sqrt(lived);
  const implied = expectedMove(chain.spot, atTheMoney, years * 365);
  const left = years * (1 - lived / Math.max(lived, sessionsLeft));
  const worth = (of: number): number =>
    of > 0 ? price(sign, forward, forward, of, atTheMoney, discount) : 0;
  // An option at the money gains half a dollar for each dollar of the price.
  const decay = 2 * (worth(years) - worth(left));
  return { holding, lived, travel, implied, decay, ratio: (travel / (implied + decay)) * (lived / holding) };
}

/** Each part 0 to 1, better the lower the price of volatility. */
function ivReading(
  { ivPercentile, forecastVolatility, surface }: DteInputs,
  { atTheMoney, call25, put25 }: SmilePoint,
  sign: 1 | -1,
) {
  const byHistory = 1 - ivPercentile / 100;
  const byRealised = fall(atTheMoney / forecastVolatility, DTE_RAMPS.iv_over_realised);
  const wing = (sign > 0 ? call25 : put25) / atTheMoney - 1;
  return {
    level: Number.isNaN(byHistory) ? byRealised : byHistory,
    term: fall(atTheMoney / surface.atTheMoney30 - 1, DTE_RAMPS.iv_over_30_days),
    skew: fall(wing, DTE_RAMPS.wing_premium),
    wing,
  };
}

/**
 * How hedging by dealers affects the move. Long gamma dampens it. Above the flip dealers steady the price, which
 * favours longs; below it they chase it, which favours shorts. At a wall between spot and target their gamma is
 * largest.
 */
function dealerReading(
  { chain, surface, exposure, timeframe }: DteInputs,
  { callGamma, putGamma, netGamma, callWall, putWall }: ExpirationExposure,
  { travel, lived }: ReturnType<typeof edgeReading>,
  sign: 1 | -1,
) {
  const days = Math.min(lived, HOLDING_SESSIONS[timeframe]) * (365 / 252);
  // Dollars that the price is expected to go while held: of ATR, or of implied volatility where that is missing.
  const reach = Number.isNaN(travel) ? expectedMove(chain.spot, surface.atTheMoney30, days) : travel;
  const lean = netGamma / (callGamma + putGamma);
  const wall = sign > 0 ? callWall : putWall;
  const room = (sign * (wall - chain.spot)) / reach;
  return {
    reach,
    lean,
    ownGamma: (1 - lean) / 2,
    flipSide: ramp((sign * (chain.spot - exposure.flip)) / reach, DTE_RAMPS.flip_side),
    wall,
    // A wall behind the price is no obstacle.
    wallRoom: room < 0 ? 1 : ramp(room, DTE_RAMPS.wall),
  };
}
