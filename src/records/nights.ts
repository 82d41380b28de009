import { roundedDistance } from '../analysis/records/barriers.ts';
import {
  compared,
  type DaysTrade,
  daysTrade,
  type TradeDistances,
} from '../analysis/records/playbook-trades.ts';
import { type Calendar, DAY_MS, dateOf, dayOf } from '../base/calendar.ts';
import { rowsOfEach, sessionsBefore, type TapeSource } from '../derive/tape-source.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import { isSimulated, type SymbolTape } from '../tape/index.ts';
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
  /** ATR(14) of the row of a day, dollars in its shares. */
  readonly rangeAt: (row: number, day: number) => number;
}

interface NightsRule<Own extends Claimant> {
  /** Sessions from the close to the one at whose open a trade is entered. */
  readonly entersAfter: number;
  /** @param dates those of the work and `NIGHTS` before */
  readonly claimantOf: (
    tape: SymbolTape,
    prices: DailyPrices,
    dates: readonly ClaimDate[],
    lastDay: number,
  ) => Own;
  /** Above 0 where the claim came true. */
  readonly worthOf: (trade: DaysTrade) => number;
  /** Room for the worth of the same trade in so many stocks. */
  readonly columnOf: (stocks: number) => Float64Array | Int8Array;
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
    const own = rule.claimantOf(tape, prices, walked, span.last);
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
  const controls = controlsOf(walk, date, at);
  return walk.stocks.flatMap((stock) => {
    const { symbol, simulated } = stock;
    const events = stock.claimsAt(date, at).map((claim) => eventOf(walk, stock, claim, date, controls));
    return events.length === 0 ? [] : [{ symbol, tradeDate: date.tradeDate, simulated, events, counts: [] }];
  });
}

function eventOf(
  { calendar, rule, lastDay }: Walk,
  stock: StockOf<Claimant>,
  { stop, target, risk, key, claim, side, price }: NightsClaim,
  { day, begunDay, entryDay, endDay }: ClaimDate,
  controls: ReturnType<typeof controlsOf>,
): ClaimEvent {
  const { prices } = stock;
  // A daily bar counts at the close of its session.
  const closeOf = (of: number): number => calendar.session(dateOf(of * DAY_MS))!.close;
  const begun = { key, claim, begunAt: closeOf(begunDay), side, price, chance: null, controls: 0 } as const;
  const isClosed = endDay <= lastDay;
  const until = Math.min(endDay, lastDay);
  const row = prices.rowOn(day);
  const [from, to] = [row + rule.entersAfter, prices.endOf(until)];
  const bars = prices.inSharesOf(until);
  const scale = prices.scaleOf(row, day, until);
  const range = stock.rangeAt(row, day) * scale;
  const entry = from < to ? bars.open[from]! : Number.NaN;
  const distances = {
    stop: (side * (entry - stop * scale)) / range,
    target: (side * (target * scale - entry)) / range,
  };
  const open = { ...begun, decidedAt: null, outcome: null, isGone: false, isAmbiguous: false } as const;
  // Not entered yet, or already beyond one of the two prices: nothing to judge.
  if (!(range > 0 && distances.stop > 0 && distances.target > 0))
    return entryDay > lastDay ? open : { ...open, outcome: 'undecided', isGone: isClosed && from >= to };
  const trade = daysTrade(bars, from, to, side, range, distances);
  const isDecided = trade.decidedRow !== null;
  if (!isDecided && !isClosed) return open;
  const worth = rule.worthOf(trade);
  return {
    ...begun,
    decidedAt: closeOf(isDecided ? bars.time[trade.decidedRow]! / DAY_MS : endDay),
    outcome: worth > 0 ? 'true' : 'false',
    isGone: !isDecided && bars.time[to - 1]! < endDay * DAY_MS,
    isAmbiguous: trade.isAmbiguous,
    ...(risk === null ? {} : { gain: worth / risk }),
    ...(isClosed ? compared(controls(stock, key, side, distances), risk) : {}),
  };
}

/** The same trade, in their own ATR, of the stocks of a date that are not busy with a claim of the kind. */
function controlsOf({ stocks, rule }: Walk, { day, endDay }: ClaimDate, at: number) {
  const worths = new Map<string, Float64Array | Int8Array>();
  let entries: ReturnType<typeof entryOf>[] | undefined;
  return (own: StockOf<Claimant>, key: string, side: 1 | -1, { stop, target }: TradeDistances) => {
    const distances = { stop: roundedDistance(stop), target: roundedDistance(target) };
    entries ??= stocks.map((stock) => entryOf(stock, day, endDay, rule.entersAfter));
    const from = entries;
    const worth = worths.getOrInsertComputed(`${side} ${distances.stop} ${distances.target}`, () => {
      const column = rule.columnOf(stocks.length);
      for (let place = 0; place < from.length; place++) {
        const entry = from[place];
        if (entry == null) continue;
        const trade = daysTrade(entry.bars, entry.from, entry.to, side, entry.range, distances);
        column[place] = rule.worthOf(trade);
      }
      return column;
    });
    const all = { count: 0, won: 0, gain: 0 };
    for (let place = 0; place < stocks.length; place++) {
      if (from[place] === null || stocks[place] === own || stocks[place]!.isBusy(at, key)) continue;
      all.count++;
      all.gain += worth[place]!;
      if (worth[place]! > 0) all.won++;
    }
    return all;
  };
}

function entryOf({ prices, rangeAt }: StockOf<Claimant>, day: number, endDay: number, entersAfter: number) {
  const [row, to] = [prices.rowOn(day), prices.endOf(endDay)];
  const from = row + entersAfter;
  if (row < 0 || from >= to) return null;
  const range = rangeAt(row, day) * prices.scaleOf(row, day, endDay);
  return range > 0 ? { bars: prices.inSharesOf(endDay), from, to, range } : null;
}
