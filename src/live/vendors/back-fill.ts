import { midnightUtc } from '../../base/calendar.ts';
import { chunks } from '../../base/chunks.ts';
import type { Delivery, Feed } from '../../market/feed.ts';
import { knownFeed, type LiveGround } from '../source.ts';
import type { Vendor, VendorBar } from './vendor.ts';
import { barDeliveries } from './vendor-minutes.ts';

/** What of the past a vendor is asked for. */
export type Part = '1d' | '1m' | 'actions' | 'profiles' | 'news';

/** Sessions of each part before the newest: what the blocks look back on. */
const SESSIONS: Readonly<Record<Part, number>> = { '1d': 300, '1m': 20, actions: 300, profiles: 0, news: 5 };
/** Symbols of one call: an address of 2,000 characters. */
const SYMBOLS_AT_ONCE = 200;

/** Dates of a unit that are on the tape, as its fingerprint says them. */
const RANGE = /^(\d{4}-\d{2}-\d{2})\.\.(\d{4}-\d{2}-\d{2})$/;

interface Stretch {
  readonly symbol: string;
  /** The first date that is missing. */
  readonly from: string;
  readonly fingerprint: string;
}

/**
 * A part of the past of some symbols up to a session, as far as the tape has not got it; null where it has. The symbols
 * share calls, and each is on the tape as soon as its own rows are there.
 */
export async function backFill(
  vendor: Vendor,
  part: Part,
  symbols: readonly string[],
  through: string,
  { tape, calendar, clock }: Pick<LiveGround, 'tape' | 'calendar' | 'clock'>,
  signal: AbortSignal,
): Promise<Feed | null> {
  const delivered = await tape.delivered(vendor.name);
  const index = calendar.sessionIndex(through) - SESSIONS[part];
  const first = calendar.sessionAt(Math.max(0, index))!.tradeDate;
  const keyOf = (symbol: string): string => `${part}/${symbol}`;
  const missing = symbols.toSorted().flatMap((symbol): Stretch[] => {
    const [, from, to] = RANGE.exec(delivered.get(keyOf(symbol))?.fingerprint ?? '') ?? [];
    const isContinued = from !== undefined && to !== undefined && from <= first && to >= first;
    if (isContinued && to >= through) return [];
    return [
      isContinued
        ? { symbol, from: calendar.nextSession(to)!, fingerprint: `${from}..${through}` }
        : { symbol, from: first, fingerprint: `${first}..${through}` },
    ];
  });
  if (missing.length === 0) return null;
  const filling = { vendor, missing, through, calendar, clock, signal };
  const rows =
    part === '1d' || part === '1m' ? barsOf(barPages(filling, part), part) : reportsOf(filling, part);
  return knownFeed(
    vendor.name,
    false,
    missing.map(({ symbol, fingerprint }) => [keyOf(symbol), fingerprint, () => rows(symbol)]),
  );
}

interface Filling extends Pick<LiveGround, 'calendar' | 'clock'> {
  readonly vendor: Vendor;
  readonly missing: readonly Stretch[];
  readonly through: string;
  readonly signal: AbortSignal;
}

/** Gives the deliveries of one symbol; the symbols are asked for in their order. */
type RowsOf = (symbol: string) => AsyncIterable<Delivery>;

function barsOf(pages: AsyncGenerator<readonly VendorBar[]>, interval: '1d' | '1m'): RowsOf {
  let page: readonly VendorBar[] = [];
  return async function* (symbol) {
    for (;;) {
      const own = page.filter((bar) => bar.symbol === symbol);
      if (own.length > 0) yield* barDeliveries(own, interval);
      page = page.filter((bar) => bar.symbol > symbol);
      if (page.length > 0) return;
      const next = await pages.next();
      if (next.done) return;
      page = next.value;
    }
  };
}

/** The pages of all that is missing, of neighbours in the order of the symbols that lack the same dates together. */
async function* barPages(
  { vendor, missing, through, calendar, signal }: Filling,
  interval: '1d' | '1m',
): AsyncGenerator<readonly VendorBar[]> {
  for (let at = 0, end = 0; at < missing.length; at = end) {
    const { from } = missing[at]!;
    while (missing[end]?.from === from) end++;
    const span =
      interval === '1d'
        ? { from: midnightUtc(from), to: midnightUtc(through) }
        : { from: calendar.session(from)!.preOpen, to: calendar.session(through)!.postClose - 1 };
    const symbols = missing.slice(at, end).map(({ symbol }) => symbol);
    yield* vendor.bars({ symbols, interval, ...span, isPast: true }, signal);
  }
}

/** What comes of all symbols together: read with the first of them, and handed to each. */
function reportsOf(
  { vendor, missing, through, calendar, clock, signal }: Filling,
  part: 'actions' | 'profiles' | 'news',
): RowsOf {
  const symbols = missing.map(({ symbol }) => symbol);
  const from = missing.reduce((first, one) => (one.from < first ? one.from : first), through);
  const read = async (): Promise<Map<string, Delivery[]>> => {
    const bySymbol = new Map<string, Delivery[]>();
    for (const some of chunks(symbols, SYMBOLS_AT_ONCE)) {
      const deliveries =
        part === 'actions'
          ? vendor.actions(some, from, calendar.nextSession(through) ?? through, signal)
          : part === 'news'
            ? vendor.news(some, calendar.session(from)!.midnight, signal)
            : vendor.profiles(some, clock.now(), signal);
      for await (const delivery of deliveries) {
        // What was refused goes with the first of its symbols.
        const symbol = 'symbol' in delivery ? delivery.symbol : some[0]!;
        bySymbol.getOrInsertComputed(symbol, () => []).push(delivery);
      }
    }
    return bySymbol;
  };
  let reading: Promise<Map<string, Delivery[]>> | undefined;
  return async function* (symbol) {
    reading ??= read();
    yield* (await reading).get(symbol) ?? [];
  };
}
