import type { Database } from '../../database/database.ts';
import type { SeriesKind } from '../../market/series.ts';
import { tradeDay } from '../../market/series.ts';
import { ChangedSymbols } from './changed-symbols.ts';

/** A symbol with a bar, and what it was called at each time. */
export interface ListedSymbol {
  readonly symbol: string;
  /** The first trade date with a bar, days since 1970-01-01. */
  readonly firstDay: number;
  /** Ascending `knownAt`. */
  readonly names: readonly KnownName[];
  /** Tickers under which it has traded, and from when on that may be quoted; ascending `knownAt`. */
  readonly tickers: readonly { readonly knownAt: number; readonly ticker: string }[];
}

/** What a profile says; null where it says nothing. */
interface ReportedName {
  /** Epoch milliseconds. */
  readonly knownAt: number;
  readonly name: string | null;
  readonly sector: string | null;
}

/** What was known of a company from an instant on. */
export interface KnownName extends ReportedName {
  readonly words: readonly string[];
}

/** Accents of letters whose base letter stands before them (NFKD). */
const ACCENTS = /\p{M}/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** The words of a text without case and accents. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');

/** Profiles, each with what earlier ones said where it says nothing. */
function namesOf(profiles: readonly ReportedName[]): KnownName[] {
  let name: string | null = null;
  let sector: string | null = null;
  return profiles.map((profile) => {
    name = profile.name ?? name;
    sector = profile.sector ?? sector;
    return { knownAt: profile.knownAt, name, sector, words: name === null ? [] : wordsOf(name) };
  });
}

const UNNAMED: KnownName = { knownAt: 0, name: null, sector: null, words: [] };

export function nameAt({ names }: ListedSymbol, instant: number): KnownName {
  for (let at = names.length - 1; at >= 0; at--) if (names[at]!.knownAt <= instant) return names[at]!;
  return UNNAMED;
}

interface IndexRow {
  readonly symbol: string;
  /** Days since 1970-01-01; null without a row in a segment. */
  readonly first_day: number | null;
  readonly running: readonly { readonly kind: SeriesKind; readonly time: number }[] | null;
  readonly profiles: readonly ReportedName[] | null;
  readonly tickers: ListedSymbol['tickers'] | null;
}

/** Bars of which a stock detail can be made: see `holdsPrices` of the tape. */
const PRICES = `('bars-1d', 'bars-5m', 'bars-1m')`;

/** Of the named symbols, or with null of all. Groups once for all: a subquery for each of 10,000 takes longer. */
const INDEX_ROWS = `
with segments as (
  select symbol, min(first_day) as first_day from tape_slice
  where kind in ${PRICES} and ($1::text[] is null or symbol = any($1::text[])) group by symbol),
running as (
  select symbol, json_agg(json_build_object('kind', kind, 'time', time)) as running from (
    select symbol, kind, min(time) as time from running_row
    where kind in ${PRICES} and ($1::text[] is null or symbol = any($1::text[])) group by symbol, kind) as of_kind
  group by symbol),
profiles as (
  select symbol, json_agg(json_build_object('knownAt', (extract(epoch from known_at) * 1000)::bigint,
    'name', value ->> 'companyName', 'sector', value ->> 'sector') order by known_at) as profiles
  from reported_fact
  where kind = 'profile' and ($1::text[] is null or symbol = any($1::text[])) group by symbol),
tickers as (
  select symbol, json_agg(json_build_object('knownAt', (extract(epoch from known_at) * 1000)::bigint,
    'ticker', value ->> 'ticker') order by known_at) as tickers
  from reported_fact
  where kind = 'listing' and ($1::text[] is null or symbol = any($1::text[])) group by symbol)
select symbol, first_day, running, profiles, tickers
from segments full join running using (symbol) left join profiles using (symbol) left join tickers using (symbol)`;

/** Every symbol with a bar and its names in memory. A change of a symbol has it read again before the next search. */
export function symbolIndex(database: Pick<Database, 'query'>) {
  let symbols: readonly ListedSymbol[] = [];
  const announced = new ChangedSymbols(false);
  let reading: Promise<void> | null = null;

  const read = (): Promise<void> =>
    announced.take(async (changed) => {
      const rows = await database.query<IndexRow>(INDEX_ROWS, [changed === null ? null : [...changed]]);
      const kept = changed === null ? [] : symbols.filter(({ symbol }) => !changed.has(symbol));
      symbols = [...kept, ...rows.map(listedOf)].sort((one, other) => (one.symbol < other.symbol ? -1 : 1));
    });

  return {
    /** Marks symbols as changed; null for all. */
    announce: (changed: readonly string[] | null): void => announced.add(changed),
    /** Every symbol with a bar, ascending by code unit, as of the last announced change. */
    async all(): Promise<readonly ListedSymbol[]> {
      if (reading !== null) await reading;
      if (announced.isEmpty) return symbols;
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
      return symbols;
    },
  };
}

function listedOf({ symbol, first_day, running, profiles, tickers }: IndexRow): ListedSymbol {
  const runningDays = (running ?? []).map(({ kind, time }) => tradeDay(kind, time));
  const firstDay = Math.min(first_day ?? Number.POSITIVE_INFINITY, ...runningDays);
  return { symbol, firstDay, names: namesOf(profiles ?? []), tickers: tickers ?? [] };
}
