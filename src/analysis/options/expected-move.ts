import { expirationLives, isSessionOf, sessionShareLeft } from './expiration-life.ts';
import type { ExpirationQuotes, PricedChain } from './quotes.ts';
import { expectedMove, type SmilePoint } from './surface.ts';

/** What the options of an expiration expect of the price by its end. */
export interface ExpirationMove {
  /** Midnight UTC of its date. */
  readonly date: number;
  /** Calendar days to it. */
  readonly days: number;
  /** Sessions from the quotes to its end, the running one as the share of it that is left. */
  readonly sessions: number;
  readonly years: number;
  /** At the money, decimal; NaN: not quoted. */
  readonly volatility: number;
  /** One deviation, dollars: S x IV x sqrt(T). The close is within it 68 % of the time if the volatility is right. */
  readonly implied: number;
  /**
   * The call and the put of the strike nearest the forward at the middle of their quotes, dollars: what the price moves on
   * average, four fifths of a deviation; NaN where one of them is not quoted.
   */
  readonly straddle: number;
}

/** A straddle this far from the forward, as a share of it, is mostly payoff. */
const STRADDLE_REACH = 0.02;

/** The moves to each expiration of a chain, in their order. */
export function expirationMoves(
  chain: PricedChain,
  points: readonly SmilePoint[],
  sessionOn: (midnightUtc: number) => { readonly open: number; readonly close: number } | null,
): ExpirationMove[] {
  const { expirations, today, at, spot } = chain;
  const todayLeft = sessionShareLeft(sessionOn(today), at);
  const lives = expirationLives(expirations, today, todayLeft, isSessionOf(sessionOn));
  // The running session counts whole there, but as the last.
  const passed = todayLeft > 0 ? 1 - todayLeft : 0;
  return expirations.map((expiration, index) => {
    const { date, days, years } = expiration;
    const { sessionsLeft } = lives[index]!;
    const { atTheMoney: volatility } = points[index]!;
    const implied = expectedMove(spot, volatility, years * 365);
    return {
      date,
      days,
      sessions: sessionsLeft > 1 ? sessionsLeft - passed : sessionsLeft,
      years,
      volatility,
      implied,
      straddle: straddleOf(chain, expiration),
    };
  });
}

function straddleOf({ strikes, mid }: PricedChain, { from, to, forward }: ExpirationQuotes): number {
  let [nearest, worth] = [STRADDLE_REACH * forward, Number.NaN];
  for (let row = from; row < to; row++) {
    const distance = Math.abs(strikes.strike[row]! - forward);
    const both = (mid[strikes.call[row]!] ?? Number.NaN) + (mid[strikes.put[row]!] ?? Number.NaN);
    if (distance <= nearest && !Number.isNaN(both)) [nearest, worth] = [distance, both];
  }
  return worth;
}

/**
 * The move of some sessions as a share of the price, one deviation: of the nearest expiration that ends with the last of
 * them or later and has a session to live, whose variance lies evenly on its sessions; null where none has a volatility.
 *
 * @param until midnight UTC of the last of them
 */
export function moveOfSessions(
  moves: readonly ExpirationMove[],
  sessions: number,
  until: number,
): { readonly share: number; readonly of: ExpirationMove } | null {
  const of = moves.find((move) => move.date >= until && move.sessions >= 1 && move.volatility > 0);
  return of === undefined
    ? null
    : { share: of.volatility * Math.sqrt((of.years * sessions) / of.sessions), of };
}
