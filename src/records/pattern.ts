import { CANDLESTICK_TYPES, CHART_PATTERN_TYPES, type PatternType } from '../analysis/patterns/finding.ts';
import { PatternHistory } from '../analysis/patterns/history.ts';
import { newestFirst } from '../analysis/patterns/index.ts';
import { isBy } from '../analysis/patterns/lifecycle.ts';
import { dateOf } from '../base/dates.ts';
import type { TapeSource } from '../derive/tape-source.ts';
import type { BarColumns } from '../market/observations.ts';
import type { DailyPrices } from '../tape/daily-prices.ts';
import type { SymbolTape } from '../tape/index.ts';
import { tapesAround } from './around.ts';
import { capital, type FoundClaims, inWords, type RecordKind } from './kind.ts';
import { type ClaimDate, claimsOverNights, NIGHTS, type NightsWork } from './nights.ts';
import { readClaimTerms } from './store.ts';

interface PatternClaimsWork extends NightsWork {
  /** What stocks read on some of these dates and of the sessions before them, as `patternClaims` told it of them. */
  readonly known: ReadonlyMap<string, string>;
}

const TYPES: readonly PatternType[] = [...CHART_PATTERN_TYPES, ...CANDLESTICK_TYPES];
const PLACE_OF = new Map<string, number>(TYPES.map((type, place) => [type, place]));

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

/**
 * Patterns that stocks confirmed on some dates, entered at the next open, and whether they came to their target before the
 * price that proves them wrong; the controls of each are the stocks of its date that had no reading of its type.
 *
 * @returns with them, by date, what stocks read as JSON text, which later work need not find again
 */
function patternClaims(
  source: TapeSource,
  { known, ...work }: PatternClaimsWork,
  isCalledOff: () => boolean,
): FoundClaims {
  const told = new Map(Array.from(known, ([date, text]): [string, DateReadings] => [date, JSON.parse(text)]));
  const { stocks, found } = claimsOverNights(
    source,
    work,
    {
      entersAfter: 1,
      claimantOf: (tape, prices, dates) => claimantOf(tape, prices, dates, told),
      worth: 'reached',
    },
    isCalledOff,
  );
  const termsOf = (date: string): DateReadings =>
    Object.fromEntries(
      stocks.flatMap(({ symbol, readings }) => {
        const own = readings.get(date);
        return own === undefined ? [] : [[symbol, own]];
      }),
    );
  return { ...found, terms: new Map(work.dates.map((date) => [date, JSON.stringify(termsOf(date))])) };
}

/** What a stock read on each date, from the history that a view of it has. */
function claimantOf(
  { symbol }: SymbolTape,
  prices: DailyPrices,
  dates: readonly ClaimDate[],
  told: ReadonlyMap<string, DateReadings>,
) {
  const readings = new Map<string, Readings>();
  const busy = new Uint8Array(dates.length * TYPES.length);
  const lastRead = new Int32Array(TYPES.length).fill(-NIGHTS - 1);
  const histories = new Map<BarColumns, PatternHistory>();
  const read = (row: number, day: number): Readings | undefined => {
    const bars = prices.inSharesOf(day);
    const history = histories.getOrInsertComputed(bars, () => new PatternHistory(bars, row));
    return readingsAt(history, prices.firstRow(row, day), row);
  };
  for (const [at, { tradeDate, day }] of dates.entries()) {
    const row = prices.rowOn(day);
    const date = told.get(tradeDate);
    const own = row < 0 ? undefined : date === undefined ? read(row, day) : date[symbol];
    if (own !== undefined) readings.set(tradeDate, own);
    for (const [place, age] of own?.ages ?? []) lastRead[place] = Math.max(lastRead[place]!, at - age);
    for (const [place, read] of lastRead.entries())
      busy[at * TYPES.length + place] = at - read < NIGHTS ? 1 : 0;
  }
  return {
    readings,
    claimsAt({ tradeDate, day }: ClaimDate) {
      const confirmed = readings.get(tradeDate)?.confirmed ?? [];
      return confirmed.map(({ type, invalidation, ...own }) => ({
        ...own,
        key: type,
        // The entry is not known yet.
        price: prices.inSharesOf(day).close[prices.rowOn(day)]!,
        stop: invalidation,
        risk: null,
      }));
    },
    isBusy: (at: number, type: string) => busy[at * TYPES.length + PLACE_OF.get(type)!] === 1,
  };
}

/** Undefined for nothing. */
function readingsAt(history: PatternHistory, first: number, row: number): Readings | undefined {
  const ages = new Map<number, number>();
  const confirmed: Confirmed[] = [];
  for (const live of history.servedAt(first, row).sort(newestFirst)) {
    const { reading, side, target, invalidation, firstSeenRow, confirmedRow } = live;
    const { type, pivots } = reading;
    const place = PLACE_OF.get(type)!;
    const age = row - Math.max(firstSeenRow, isBy(confirmedRow, row) ? confirmedRow : -1);
    ages.set(place, Math.min(age, ages.get(place) ?? age));
    // Without a side or a target there is nothing to judge.
    if (confirmedRow !== row || !(target > 0) || !(invalidation > 0)) continue;
    const claim = pivots.map((pivot) => dateOf(history.bars.time[pivot.row]!)).join();
    confirmed.push({ type, side: side > 0 ? 1 : -1, target, invalidation, claim });
  }
  return ages.size === 0 ? undefined : { ages: [...ages], confirmed };
}

export const pattern: RecordKind<PatternClaimsWork> = {
  name: 'pattern',
  version: 3,
  releasedAt: '2026-11-28',
  keys: TYPES,
  horizonOf: () => NIGHTS,
  datesAtOnce: 200,
  reads: {},
  keepsTerms: true,
  async load(ground, dates, { lastDay, isNew }) {
    const { calendar, database, deriver, market } = ground;
    const first = calendar.sessionIndex(dates[0]!) - NIGHTS;
    const read = calendar.sessionsBetween(calendar.sessionAt(Math.max(0, first))!.tradeDate, dates.at(-1)!);
    const before = read.filter((date) => !isNew('pattern', date));
    const rows = await readClaimTerms(database, market.simulated, 'pattern', pattern.version, before);
    const known = new Map(rows.map(({ tradeDate, terms }) => [tradeDate, terms]));
    const tapes = await tapesAround(ground, dates, NIGHTS, lastDay);
    return deriver.claims(pattern, { tapes, dates, known, lastDay });
  },
  find: patternClaims,
  says: {
    subject: (key) => `${capital(inWords(key))} patterns reached their target`,
    tested: 'types of patterns',
  },
};
