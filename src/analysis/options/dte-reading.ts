import type { Direction, Timeframe } from './dte-axes.ts';
import type { ExpirationLife } from './expiration-life.ts';
import type { ExpirationExposure, GammaExposure } from './gamma-exposure.ts';
import type { NearMoney } from './chain-figures.ts';
import type { ExpirationQuotes, PricedChain } from './quotes.ts';
import type { SmilePoint, SurfaceFigures } from './surface.ts';

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
  /** Where 30-day volatility stands in its year, percent. */
  readonly ivPercentile: number;
  /** Forecast of realised volatility, decimal. */
  readonly forecastVolatility: number;
  /** Dates of expected reports, midnight UTC. */
  readonly earningsDates: readonly number[];
  readonly timeframe: Timeframe;
  readonly direction: Direction;
}

/** What the axes of one expiration were computed from, for scores and sentences alike. */
export interface DteReading {
  readonly inputs: DteInputs;
  readonly quotes: ExpirationQuotes;
  readonly smile: SmilePoint;
  readonly exposure: ExpirationExposure;
  readonly life: ExpirationLife;
  /** False when it ends before the trade would. */
  readonly isLongEnough: boolean;
  readonly near: NearMoney;
  /** 1 bullish, -1 bearish. */
  readonly sign: 1 | -1;
  readonly edge: EdgeReading;
  readonly iv: IvReading;
  readonly dealer: DealerReading;
}

export interface EdgeReading {
  /** Sessions that are held, and that of them which the contracts live: a share of one on their last day. */
  readonly holding: number;
  readonly lived: number;
  /** Dollars: what the price travels while held, what the premium implies to expiration, what time takes meanwhile. */
  readonly travel: number;
  readonly implied: number;
  readonly decay: number;
  readonly ratio: number;
}

/** Each part 0 to 1, better the lower the price of volatility. */
export interface IvReading {
  readonly level: number;
  readonly term: number;
  readonly skew: number;
  readonly wing: number;
}

export interface DealerReading {
  /** Dollars that the price is expected to go while held: of ATR, or of implied volatility where that is missing. */
  readonly reach: number;
  /** Net over gross gamma of the expiration, -1 to 1. */
  readonly lean: number;
  readonly ownGamma: number;
  readonly flipSide: number;
  readonly wall: number;
  readonly wallRoom: number;
}
