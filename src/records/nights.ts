import { roundedDistance } from '../analysis/records/barriers.ts';
import {
  type ComparedTrades,
  compared,
  type DaysHeld,
  daysGain,
  daysTrade,
  type TradeDistances,
  touchedAfter,
} from '../analysis/records/playbook-trades.ts';
import { type Calendar, DAY_MS, dateOf, dayOf } from '../base/calendar.ts';
import { rowsOfEach, sessionsBefore, type TapeSource } from '../derive/tape-source.ts';
import type { BarColumns } from '../market/observations.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import { isSimulated, type SymbolTape } from '../tape/index.ts';
import { atrAt } from './around.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';
import { type FoundClaims, NOTHING_FOUND } from './kind.ts';

/**
 * Claims that stocks make at a close and that hold over nights: what became of each, and of a trade of the same side and
 * distances in the stocks of its date that claimed nothing like it.
 */

/** Sessions within which such a claim ends, and before it those in which a stock that claimed the like is no control. */
export const NIGHTS = 20;

export interface NightsWork {
  /** Every symbol, in the order of their names. */
  readonly tapes: readonly SymbolTape[];
  /** Sessions that have closed, ascending, without a hole. */
  readonly dates: readonly string[];
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

/** A session with those between which its claims are open; beyond the calendar infinite. */
export interface ClaimDate {
  readonly tradeDate: string;
  readonly close: number;
  readonly day: number;
  /** The session whose close begins the claim, the one of the entry, and the last of the horizon. */
  readonly begunDay: number;
  readonly entryDay: number;
  readonly endDay: number;
}

/** A claim with prices in dollars, in the shares of its date. */
interface NightsClaim extends Pick<ClaimEvent, 'key' | 'claim' | 'side'> {
  readonly price: number;
  readonly stop: number;
  readonly target: number;
  /** One R in ATR; null where nobody asks for it. */
  readonly risk: number | null;
}

/** What a rule knows of a stock. */
interface Claimant {
  /** @param at place of the date among those of the walk */
  readonly claimsAt: (date: ClaimDate, at: number) => readonly NightsClaim[];
  /** Whether it claimed the like in the last sessions, and is no control. */
  readonly isBusy: (at: number, key: string) => boolean;
}

interface NightsRule<Own extends Claimant> {
  /** Sessions from the close to the one at whose open a trade is entered. */
  readonly entersAfter: number;
  /** @param dates those of the work and `NIGHTS` before */
  readonly claimantOf: (tape: SymbolTape, prices: DailyPrices, dates: readonly ClaimDate[]) => Own;
  /** What a trade is worth, above 0 where the claim came true: what it gains, or 1 where it reaches its target. */
  readonly worth: 'gain' | 'reached';
}

type StockOf<Own> = Own & Pick<SymbolClaims, 'symbol' | 'simulated'> & { readonly prices: DailyPrices };

/** @param isCalledOff checked before each symbol and date; nothing is found once it is true. Indices are left out. */
export function claimsOverNights<Own extends Claimant>(
  source: TapeSource,
  { tapes, dates, lastDay }: NightsWork,
  rule: NightsRule<Own>,
  isCalledOff: () => boolean,
): { readonly stocks: readonly StockOf<Own>[]; readonly found: FoundClaims } {
  const { reader, calendar } = source;
  const before = sessionsBefore(calendar, dates[0]!, NIGHTS).toReversed();
  const walked = [...before.map(({ tradeDate }) => tradeDate), ...dates].map((date) =>
    claimDate(calendar, date, rule.entersAfter),
  );
  const span = { first: walked[0]!.day, last: Math.min(lastDay, walked.at(-1)!.endDay) };
  const stocksOnly = tapes.filter(({ symbol }) => !symbol.startsWith('^'));
  const stocks = rowsOfEach(stocksOnly, isCalledOff, (tape): StockOf<Own>[] => {
    const prices = new DailyPrices(reader, tape, calendar, span);
    const own = rule.claimantOf(tape, prices, walked);
    return [{ ...own, symbol: tape.symbol, simulated: isSimulated(tape), prices }];
  });
  const claims: SymbolClaims[] = [];
  for (let at = before.length; at < walked.length; at++) {
    if (isCalledOff()) return { stocks: [], found: NOTHING_FOUND };
    claims.push(...claimsOn({ calendar, stocks, rule, lastDay }, walked[at]!, at));
  }
  const observed = walked
    .slice(before.length)
    .filter(({ day }) => stocks.some(({ prices }) => prices.rowOn(day) >= 0))
    .map(({ tradeDate }) => tradeDate);
  return { stocks, found: { observed, claims, measures: new Map() } };
}

function claimDate(calendar: Calendar, tradeDate: string, entersAfter: number): ClaimDate {
  const index = calendar.sessionIndex(tradeDate);
  const later = (sessions: number): number => {
    const session = calendar.sessionAt(index + sessions);
    return session === null ? Number.POSITIVE_INFINITY : dayOf(session.tradeDate);
  };
  return {
    tradeDate,
    close: calendar.session(tradeDate)!.close,
    day: dayOf(tradeDate),
    begunDay: later(entersAfter - 1),
    entryDay: later(entersAfter),
    endDay: later(NIGHTS),
  };
}

interface Walk {
  readonly calendar: Calendar;
  readonly stocks: readonly StockOf<Claimant>[];
  readonly rule: Omit<NightsRule<Claimant>, 'claimantOf'>;
  readonly lastDay: number;
}

function claimsOn(walk: Walk, date: ClaimDate, at: number): SymbolClaims[] {
  // Nobody knows yet what the close is to be followed by.
  if (date.begunDay > walk.lastDay) return [];
  const trades = walk.stocks.map((stock) =>
    stock.claimsAt(date, at).map((claim) => tradeOf(walk, stock, claim, date)),
  );
  const isClosed = date.endDay <= walk.lastDay;
  const controls = controlsOf(walk, date, at, isClosed ? trades.flat() : []);
  return walk.stocks.flatMap(({ symbol, simulated }, place) => {
    const events = trades[place]!.map((trade) => eventOf(walk, trade, date, controls));
    return events.length === 0 ? [] : [{ symbol, tradeDate: date.tradeDate, simulated, events, counts: [] }];
  });
}

/** Bars that a trade would be held over, as far as they are there. */
interface Held extends DaysHeld {
  readonly bars: BarColumns;
  /** From the shares of the date to those of the bars. */
  readonly scale: number;
  readonly isEntered: boolean;
}

function heldBy({ prices }: StockOf<Claimant>, day: number, until: number, entersAfter: number): Held {
  const [row, to] = [prices.rowOn(day), prices.endOf(until)];
  const from = row + entersAfter;
  const bars = prices.inSharesOf(until);
  const scale = prices.scaleOf(row, day, until);
  const range = row < 0 ? Number.NaN : atrAt(prices, row, day) * scale;
  return { bars, from, to, scale, range, isEntered: from < to && range > 0 };
}

interface Trade extends Held {
  readonly stock: StockOf<Claimant>;
  readonly claim: NightsClaim;
  readonly distances: TradeDistances;
  /** False where it is not entered, or already beyond one of its prices. */
  readonly isJudged: boolean;
}

function tradeOf(walk: Walk, stock: StockOf<Claimant>, claim: NightsClaim, date: ClaimDate): Trade {
  const { side, stop, target } = claim;
  const until = Math.min(date.endDay, walk.lastDay);
  const held = heldBy(stock, date.day, until, walk.rule.entersAfter);
  const { bars, from, scale, range, isEntered } = held;
  const distances = {
    stop: (side * (bars.open[from]! - stop * scale)) / range,
    target: (side * (target * scale - bars.open[from]!)) / range,
  };
  const isJudged = isEntered && distances.stop > 0 && distances.target > 0;
  return { ...held, stock, claim, distances, isJudged };
}

function eventOf(
  { calendar, rule, lastDay }: Walk,
  trade: Trade,
  { begunDay, entryDay, endDay }: ClaimDate,
  controls: ReturnType<typeof controlsOf>,
): ClaimEvent {
  const { bars, from, to, range, distances } = trade;
  const { key, claim, side, price, risk } = trade.claim;
  // A daily bar counts at the close of its session.
  const closeOf = (of: number): number => calendar.session(dateOf(of * DAY_MS))!.close;
  const begun = { key, claim, begunAt: closeOf(begunDay), side, price, chance: null, controls: 0 } as const;
  const isClosed = endDay <= lastDay;
  const open = { ...begun, decidedAt: null, outcome: null, isGone: false, isAmbiguous: false } as const;
  // Not entered yet, or already beyond one of the two prices: nothing to judge.
  if (!trade.isJudged)
    return entryDay > lastDay ? open : { ...open, outcome: 'undecided', isGone: isClosed && from >= to };
  const judged = daysTrade(bars, from, to, side, range, distances);
  const { gain, isReached, decidedRow, isAmbiguous } = judged;
  const isDecided = decidedRow !== null;
  if (!isDecided && !isClosed) return open;
  const worth = rule.worth === 'gain' ? gain : Number(isReached);
  return {
    ...begun,
    decidedAt: closeOf(isDecided ? bars.time[decidedRow]! / DAY_MS : endDay),
    outcome: worth > 0 ? 'true' : 'false',
    isGone: !isDecided && bars.time[to - 1]! < endDay * DAY_MS,
    isAmbiguous,
    ...(risk === null ? {} : { gain: worth / risk }),
    ...(isClosed ? compared(controls(trade), risk) : {}),
  };
}

/**
 * The same trade, in their own ATR, of the stocks of a date that are not busy with a claim of the kind.
 *
 * @param trades every one of the date that may be asked for
 */
function controlsOf(
  { stocks, rule }: Walk,
  { day, endDay }: ClaimDate,
  at: number,
  trades: readonly Trade[],
): (trade: Trade) => ComparedTrades {
  const judged = trades.filter(({ isJudged }) => isJudged);
  const held = judged.length === 0 ? [] : stocks.map((stock) => heldBy(stock, day, endDay, rule.entersAfter));
  const touched = new Map<string, ReturnType<typeof touchesOf>>();
  const touchedBy = (side: 1 | -1, way: keyof TradeDistances, distance: number): Uint8Array =>
    touched.getOrInsertComputed(`${side} ${way}`, () => {
      const own = judged.filter(({ claim }) => claim.side === side);
      const asked = own.map(({ distances }) => roundedDistance(distances[way]));
      return touchesOf(held, side, way, asked);
    })(distance);
  const free = new Map<string, Uint8Array>();
  const freeOf = (key: string): Uint8Array =>
    free.getOrInsertComputed(key, () =>
      Uint8Array.from(stocks, (stock, place) => Number(held[place]!.isEntered && !stock.isBusy(at, key))),
    );
  return ({ stock, claim: { key, side }, distances }) => {
    const [stop, target] = [roundedDistance(distances.stop), roundedDistance(distances.target)];
    const [stopped, reached] = [touchedBy(side, 'stop', stop), touchedBy(side, 'target', target)];
    const isFree = freeOf(key);
    const all = { count: 0, won: 0, gain: 0 };
    for (let place = 0; place < stocks.length; place++) {
      if (isFree[place] === 0 || stocks[place] === stock) continue;
      const [stopRow, targetRow] = [stopped[place]!, reached[place]!];
      const worth =
        rule.worth === 'gain'
          ? daysGain(held[place]!, side, { stop, target }, stopRow, targetRow)
          : Number(targetRow < stopRow);
      all.count++;
      all.gain += worth;
      if (worth > 0) all.won++;
    }
    return all;
  };
}

/** By distance the rows after the entry at which each stock touches it. */
function touchesOf(
  held: readonly Held[],
  side: 1 | -1,
  way: keyof TradeDistances,
  asked: readonly number[],
): (distance: number) => Uint8Array {
  const distances = [...new Set(asked)].sort((one, other) => one - other);
  const rows = new Uint8Array(distances.length * held.length);
  for (const [place, own] of held.entries())
    if (own.isEntered) touchedAfter(own, side, distances, way, rows, place, held.length);
  const from = new Map(distances.map((distance, place) => [distance, place * held.length]));
  return (distance) => rows.subarray(from.get(distance)!, from.get(distance)! + held.length);
}
