import { atr } from '../analysis/indicators/true-range.ts';
import { CANDLESTICK_TYPES, CHART_PATTERN_TYPES, type PatternType } from '../analysis/patterns/finding.ts';
import { detectPatterns } from '../analysis/patterns/index.ts';
import { type BarrierOutcome, firstBarrier, roundedDistance } from '../analysis/records/barriers.ts';
import { type Calendar, DAY_MS, dateOf, dayOf } from '../base/calendar.ts';
import { sessionsBefore, type TapeSource, unlessDamaged } from '../derive/tape-source.ts';
import type { BarColumns } from '../market/observations.ts';
import type { SymbolTape } from '../tape/index.ts';
import { tapesAround } from './around.ts';
import { DailyPrices } from './daily-prices.ts';
import type { ClaimEvent, SymbolClaims } from './events.ts';
import { capital, inWords, type RecordKind } from './kind.ts';
import { readClaimTerms } from './store.ts';

interface PatternClaimsWork {
  /** Every symbol, in the order of their names. */
  readonly tapes: readonly SymbolTape[];
  /** Sessions that have closed, ascending, without a hole. */
  readonly dates: readonly string[];
  /** What stocks read on some of these dates and of the sessions before them, as `patternClaims` told it of them. */
  readonly known: ReadonlyMap<string, string>;
  /** The newest session that has closed, days since 1970-01-01; nothing after it is read. */
  readonly lastDay: number;
}

/** Sessions within which a pattern reaches its target. */
const PATTERN_HORIZON = 20;
const TYPES: readonly PatternType[] = [...CHART_PATTERN_TYPES, ...CANDLESTICK_TYPES];
const PLACE_OF = new Map(TYPES.map((type, place) => [type, place]));

/** A session on the calendar with those between which its claims are open. */
interface ClaimDate {
  readonly tradeDate: string;
  readonly day: number;
  /** The session of the entry, and the last of the horizon. */
  readonly entryDay: number;
  readonly endDay: number;
}

/** A pattern that a close confirmed. */
interface Confirmed {
  readonly type: PatternType;
  readonly side: 1 | -1;
  /** Dollars in the shares of its date, as `invalidation`. */
  readonly target: number;
  readonly invalidation: number;
  /** Trade dates of its swings. */
  readonly claim: string;
}

/** What a stock read on a date: by place of a type how many sessions ago, and what its close confirmed. */
interface Readings {
  readonly ages: readonly (readonly [place: number, age: number])[];
  readonly confirmed: readonly Confirmed[];
}

/** Readings of a date by symbol; of a stock without any nothing. */
type DateReadings = Readonly<Record<string, Readings>>;

/** A stock on the dates of the work. */
interface Stock {
  readonly symbol: string;
  readonly simulated: boolean;
  readonly prices: DailyPrices;
  /** By date what it read. */
  readonly readings: ReadonlyMap<string, Readings>;
  /** By date and type whether it had a reading in the last sessions: no control then. */
  readonly isBusy: (date: number, type: PatternType) => boolean;
}

/**
 * Patterns that stocks confirmed on some dates, and what became of them; the controls of each are the stocks of its date
 * that had no reading of its type. Indices are left out.
 *
 * @param isCalledOff checked before each symbol; the result is empty once it is true
 * @returns with them, by date, what stocks read as JSON text, which later work need not find again
 */
function patternClaims(
  source: TapeSource,
  { tapes, dates, known, lastDay }: PatternClaimsWork,
  isCalledOff: () => boolean,
): {
  readonly observed: readonly string[];
  readonly claims: readonly SymbolClaims[];
  readonly terms: ReadonlyMap<string, string>;
} {
  const none = { observed: [], claims: [], terms: new Map() };
  const days = dates.map((date) => claimDate(source.calendar, date));
  const warmUp = sessionsBefore(source.calendar, dates[0]!, PATTERN_HORIZON)
    .toReversed()
    .map(({ tradeDate }) => claimDate(source.calendar, tradeDate));
  const all = [...warmUp, ...days];
  const told = new Map(Array.from(known, ([date, text]): [string, DateReadings] => [date, JSON.parse(text)]));
  const stocks: Stock[] = [];
  for (const tape of tapes) {
    if (isCalledOff()) return none;
    if (tape.symbol.startsWith('^')) continue;
    stocks.push(...unlessDamaged(() => [stockOf(source, tape, all, warmUp.length, told, lastDay)]));
  }
  const closeOf = (day: number): number => source.calendar.session(dateOf(day * DAY_MS))!.close;
  const claims: SymbolClaims[] = [];
  for (const [at, date] of days.entries()) {
    if (isCalledOff()) return none;
    claims.push(...claimsOn(stocks, date, at, { lastDay, closeOf }));
  }
  return {
    observed: days
      .filter(({ day }) => stocks.some(({ prices }) => prices.rowOn(day) >= 0))
      .map(({ tradeDate }) => tradeDate),
    claims,
    terms: new Map(
      dates.map((date) => [
        date,
        JSON.stringify(
          Object.fromEntries(
            stocks.flatMap(({ symbol, readings }) => {
              const own = readings.get(date);
              return own === undefined ? [] : [[symbol, own]];
            }),
          ),
        ),
      ]),
    ),
  };
}

function claimDate(calendar: Calendar, tradeDate: string): ClaimDate {
  const index = calendar.sessionIndex(tradeDate);
  const later = (sessions: number): number =>
    dayOf(calendar.sessionAt(index + sessions)?.tradeDate ?? calendar.last);
  return { tradeDate, day: dayOf(tradeDate), entryDay: later(1), endDay: later(PATTERN_HORIZON) };
}

/** What a stock read on each date, from the history that a view of it has. */
function stockOf(
  { reader, calendar }: TapeSource,
  tape: SymbolTape,
  days: readonly ClaimDate[],
  warmUp: number,
  told: ReadonlyMap<string, DateReadings>,
  lastDay: number,
): Stock {
  const prices = new DailyPrices(reader, tape, calendar, {
    first: days[0]!.day,
    last: Math.min(lastDay, days.at(-1)!.endDay),
  });
  const readings = new Map<string, Readings>();
  const busy = new Uint8Array(days.length * TYPES.length);
  const lastRead = new Int32Array(TYPES.length).fill(-PATTERN_HORIZON - 1);
  for (const [at, { tradeDate, day }] of days.entries()) {
    const row = prices.rowOn(day);
    const date = told.get(tradeDate);
    const own = row < 0 ? undefined : date === undefined ? readingsAt(prices, row, day) : date[tape.symbol];
    if (own !== undefined) readings.set(tradeDate, own);
    for (const [place, age] of own?.ages ?? []) lastRead[place] = Math.max(lastRead[place]!, at - age);
    for (const [place, read] of lastRead.entries())
      busy[at * TYPES.length + place] = at - read < PATTERN_HORIZON ? 1 : 0;
  }
  return {
    symbol: tape.symbol,
    simulated: tape.slices.some((slice) => slice.simulated),
    prices,
    readings,
    isBusy: (date, type) => busy[(date + warmUp) * TYPES.length + PLACE_OF.get(type)!] === 1,
  };
}

/** Undefined for nothing. */
function readingsAt(prices: DailyPrices, row: number, day: number): Readings | undefined {
  const first = prices.firstRow(row, day);
  const bars = sliced(prices.inSharesOf(day), first, row + 1);
  const lastRow = bars.close.length - 1;
  const ages = new Map<number, number>();
  const confirmed: Confirmed[] = [];
  for (const finding of detectPatterns(bars)) {
    const { type, direction, target, invalidation, firstSeenRow, confirmedRow, pivots } = finding;
    const place = PLACE_OF.get(type)!;
    const age = lastRow - Math.max(firstSeenRow, confirmedRow ?? -1);
    ages.set(place, Math.min(age, ages.get(place) ?? age));
    // Without a side or a target there is nothing to judge.
    if (confirmedRow !== lastRow || direction === 'neutral' || !(target > 0) || !(invalidation > 0)) continue;
    const claim = pivots.map((pivot) => dateOf(bars.time[pivot.row]!)).join();
    confirmed.push({ type, side: direction === 'bullish' ? 1 : -1, target, invalidation, claim });
  }
  return ages.size === 0 ? undefined : { ages: [...ages], confirmed };
}

const sliced = (bars: BarColumns, from: number, to: number): BarColumns =>
  Object.fromEntries(
    Object.entries(bars).map(([name, column]) => [name, column.subarray(from, to)]),
  ) as never;

/** The ATR of the sessions up to a row, in the shares of its day. */
function atrAt(prices: DailyPrices, row: number, day: number): number {
  const { high, low, close } = sliced(prices.inSharesOf(day), prices.firstRow(row, day), row + 1);
  return atr(high, low, close).at(-1)!;
}

interface Known {
  readonly lastDay: number;
  /** A daily bar counts at the close of its session. */
  readonly closeOf: (day: number) => number;
}

function claimsOn(stocks: readonly Stock[], date: ClaimDate, at: number, known: Known): SymbolClaims[] {
  const isClosed = date.endDay <= known.lastDay;
  const controls = controlsOf(stocks, date, at);
  const claims: SymbolClaims[] = [];
  for (const [place, stock] of stocks.entries()) {
    const found = stock.readings.get(date.tradeDate)?.confirmed ?? [];
    const events = found.map((confirmed) => {
      const { entry, ...claim } = eventOf(stock, confirmed, date, known);
      if (entry === null || !isClosed) return claim;
      return { ...claim, ...controls(place, confirmed.type, claim.side, entry) };
    });
    if (events.length > 0)
      claims.push({
        symbol: stock.symbol,
        tradeDate: date.tradeDate,
        simulated: stock.simulated,
        events,
        counts: [],
      });
  }
  return claims;
}

/** Where a position is entered, and how far its two prices lie, in ATR. */
interface Entry {
  readonly target: number;
  readonly invalidation: number;
}

/** What became of a pattern. */
function eventOf(
  { prices }: Stock,
  { type, side, target, invalidation, claim: swings }: Confirmed,
  { day, entryDay, endDay }: ClaimDate,
  { lastDay, closeOf }: Known,
): ClaimEvent & { readonly entry: Entry | null } {
  const row = prices.rowOn(day);
  const until = Math.min(endDay, lastDay);
  const bars = prices.inSharesOf(until);
  // Prices of the pattern are in the shares of its own date.
  const scale = bars.close[row]! / prices.inSharesOf(day).close[row]!;
  const range = atrAt(prices, row, day) * scale;
  const [from, to] = [row + 1, prices.endOf(until)];
  const entered = bars.open[from] !== undefined && from < to ? bars.open[from]! : Number.NaN;
  const aim = side * (target * scale - entered);
  const risk = side * (entered - invalidation * scale);
  const hasEntry = aim > 0 && risk > 0 && range > 0;
  const claim = {
    key: type,
    claim: swings,
    begunAt: closeOf(day),
    side,
    // The entry is not known yet.
    price: prices.inSharesOf(day).close[row]!,
    chance: null,
    controls: 0,
  } as const;
  // Not yet entered, or already beyond one of the two prices: nothing to judge.
  if (!hasEntry) {
    const isOver = entryDay <= lastDay;
    const isGone = isOver && endDay <= lastDay && from >= to;
    return {
      ...claim,
      decidedAt: null,
      outcome: isOver ? 'undecided' : null,
      isGone,
      isAmbiguous: false,
      entry: null,
    };
  }
  const found = firstBarrier(bars, from, to, side, target * scale, invalidation * scale);
  const isDecided = found.isTrue || isReached(bars, found, side, invalidation * scale);
  const isOver = isDecided || endDay <= lastDay;
  return {
    ...claim,
    decidedAt: isOver ? closeOf(isDecided ? bars.time[found.row]! / DAY_MS : endDay) : null,
    outcome: isOver ? (found.isTrue ? 'true' : 'false') : null,
    isGone: !isDecided && isOver && bars.time[found.row]! < endDay * DAY_MS,
    isAmbiguous: found.isAmbiguous,
    entry: { target: roundedDistance(aim, range), invalidation: roundedDistance(risk, range) },
  };
}

const isReached = (
  { high, low }: BarColumns,
  { row }: BarrierOutcome,
  side: 1 | -1,
  price: number,
): boolean => (side > 0 ? low[row]! <= price : high[row]! >= price);

/** The stocks of a date without a reading of the type, of which the same distances are asked in their own ATR. */
function controlsOf(stocks: readonly Stock[], date: ClaimDate, at: number) {
  const outcomes = new Map<string, Int8Array>();
  let entries: ReturnType<typeof entryOf>[] | undefined;
  return (own: number, type: PatternType, side: 1 | -1, { target, invalidation }: Entry) => {
    entries ??= stocks.map(({ prices }) => entryOf(prices, date));
    const from = entries;
    const came = outcomes.getOrInsertComputed(`${side} ${target} ${invalidation}`, () =>
      Int8Array.from(from, (entry) => {
        if (entry === null) return -1;
        const { bars, from, to, price, range } = entry;
        const [aim, wrong] = [price + side * target * range, price - side * invalidation * range];
        return firstBarrier(bars, from, to, side, aim, wrong).isTrue ? 1 : 0;
      }),
    );
    let controls = 0;
    let held = 0;
    for (let place = 0; place < stocks.length; place++) {
      if (came[place]! < 0 || place === own || stocks[place]!.isBusy(at, type)) continue;
      controls++;
      held += came[place]!;
    }
    return { controls, chance: controls === 0 ? null : held / controls };
  };
}

function entryOf(prices: DailyPrices, { day, endDay }: ClaimDate) {
  const row = prices.rowOn(day);
  const to = prices.endOf(endDay);
  if (row < 0 || row + 1 >= to) return null;
  const bars = prices.inSharesOf(endDay);
  const scale = bars.close[row]! / prices.inSharesOf(day).close[row]!;
  const range = atrAt(prices, row, day) * scale;
  return range > 0 ? { bars, from: row + 1, to, price: bars.open[row + 1]!, range } : null;
}

export const pattern: RecordKind<PatternClaimsWork> = {
  name: 'pattern',
  version: 3,
  releasedAt: '2026-11-28',
  keys: TYPES,
  horizonOf: () => PATTERN_HORIZON,
  datesAtOnce: 60,
  reads: {},
  keepsTerms: true,
  async load(ground, dates, { lastDay, isNew }) {
    const { calendar, database, deriver, market } = ground;
    const first = calendar.sessionIndex(dates[0]!) - PATTERN_HORIZON;
    const read = calendar.sessionsBetween(calendar.sessionAt(Math.max(0, first))!.tradeDate, dates.at(-1)!);
    const before = read.filter((date) => !isNew('pattern', date));
    const rows = await readClaimTerms(database, market.simulated, 'pattern', pattern.version, before);
    const known = new Map(rows.map(({ tradeDate, terms }) => [tradeDate, terms]));
    const tapes = await tapesAround(ground, dates, PATTERN_HORIZON, lastDay);
    return deriver.claims(pattern, { tapes, dates, known, lastDay });
  },
  find: (source, work, isCalledOff) => ({ ...patternClaims(source, work, isCalledOff), measures: new Map() }),
  says: {
    subject: (key) => `${capital(inWords(key))} patterns reached their target`,
    tested: 'types of patterns',
  },
};
