import { asOfInstant } from '../../base/as-of.ts';
import { DAY_MS, dateOf } from '../../base/dates.ts';
import { CodedError, type ValidationFault } from '../../base/errors.ts';
import {
  barsWithoutView,
  oldestDay,
  readStockView,
  SegmentReader,
  type SymbolTape,
  slicesOfView,
} from '../../tape/index.ts';
import { IMPATIENT_MS } from '../../tape/segments/segment-store.ts';
import { type DataFeed, visibleInstant } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { absence } from './absences.ts';
import { valueFault } from './refusals.ts';

/** The tapes of symbols with a visible bar. A stock whose first bar lies within the delay looks unknown. */
export async function seenTapes(
  context: Pick<AppContext, 'tape' | 'tapes' | 'calendar' | 'clock'>,
  symbols: readonly string[],
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<SymbolTape[]> {
  return withVisibleBar(context, await context.tapes.symbolTapes(symbols, options), feed);
}

/** Those of some tapes. */
export async function withVisibleBar(
  context: Pick<AppContext, 'tape' | 'calendar' | 'clock'>,
  tapes: readonly SymbolTape[],
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
): Promise<SymbolTape[]> {
  const seen: SymbolTape[] = [];
  for (const tape of tapes) if (await isSeen(context, tape, feed)) seen.push(tape);
  return seen;
}

/** Symbols of a body that have no tape, each a fault. */
export function unseenFaults(symbols: readonly string[], tapes: readonly SymbolTape[]): ValidationFault[] {
  const seen = new Set(tapes.map(({ symbol }) => symbol));
  return symbols
    .filter((symbol) => !seen.has(symbol))
    .map((symbol) => valueFault(['body', 'symbols'], symbol, `No stock with the symbol ${symbol} has data`));
}

async function isSeen(
  { tape: { location }, calendar, clock }: Pick<AppContext, 'tape' | 'calendar' | 'clock'>,
  tape: SymbolTape,
  feed: Pick<DataFeed, 'delayMs' | 'asOf'>,
): Promise<boolean> {
  const first = oldestDay(tape);
  if (first === null) return false;
  const tradeDate = dateOf(first * DAY_MS);
  const session = calendar.session(tradeDate);
  if (session === null) return true;
  const asOf = asOfInstant(session, visibleInstant(feed, clock.now()));
  if (asOf === null || asOf >= session.postClose) return asOf !== null;
  // Its first session is running: only the rows tell whether a bar is visible.
  const reader = new SegmentReader(location);
  reader.retryFor(IMPATIENT_MS);
  try {
    await reader.fetchAhead(() => slicesOfView(tape, first, first, asOf));
    return readStockView(reader, tape, calendar, tradeDate, asOf) !== null;
  } finally {
    reader.close();
  }
}

type TapeContext = Pick<AppContext, 'database' | 'calendar' | 'clock' | 'tape' | 'tapes'>;

/**
 * The tape of a symbol with a visible bar.
 *
 * @throws CodedError unknown_symbol, no_data_for_date
 */
export async function seenTape(
  context: TapeContext,
  symbol: string,
  feed: DataFeed,
  signal: AbortSignal,
): Promise<SymbolTape> {
  const [tape] = await seenTapes(context, [symbol], feed, { signal });
  if (tape === undefined) throw await unknownSymbol(context, symbol, feed, signal);
  return tape;
}

/**
 * Why a symbol has no answer: it has no bar yet at a past minute, has only parts of sessions, has another ticker by now, or is
 * unknown. Renames after the newest instant of the viewer do not count.
 */
export async function unknownSymbol(
  context: TapeContext,
  symbol: string,
  { delayMs, asOf }: DataFeed,
  signal: AbortSignal,
): Promise<CodedError> {
  const { database, calendar, clock, tape } = context;
  const visible = visibleInstant({ delayMs, asOf }, clock.now());
  if (asOf !== undefined) {
    const [later] = await seenTapes(context, [symbol], { delayMs }, { signal });
    if (later !== undefined) {
      const first = dateOf(oldestDay(later)! * DAY_MS);
      const then = new Date(asOf).toISOString();
      return new CodedError(
        'no_data_for_date',
        absence('refused.before_first', { symbol, date: then, first }),
      );
    }
  }
  const [known] = await tape.symbolTapes([symbol], { signal });
  const today = calendar.tradeDateOf(visible);
  const parts = known === undefined ? [] : barsWithoutView(known);
  if (parts.some(({ firstDay }) => dateOf(firstDay * DAY_MS) < today)) {
    const lengths = new Set(parts.map(({ kind }) => kind.slice('bars-'.length)));
    return new CodedError(
      'no_data_for_date',
      absence('refused.parts', { symbol, lengths: [...lengths].join(' and ') }),
    );
  }
  const [renamed] = await database.query<{ ticker: string; from: string }>(
    `select newest.value ->> 'ticker' as ticker, newest.value ->> 'from' as "from"
     from reported_fact f
     cross join lateral (
       select n.value from reported_fact n
       where n.kind = 'listing' and n.symbol = f.symbol and n.known_at <= $2::timestamptz
       order by n.known_at desc limit 1) newest
     where f.kind = 'listing' and f.value ->> 'ticker' = $1 and f.known_at <= $2::timestamptz
       and newest.value ->> 'ticker' <> $1
     order by f.known_at desc limit 1`,
    [symbol, new Date(visible).toISOString()],
    { signal },
  );
  const sentence =
    renamed === undefined
      ? absence('refused.symbol', { symbol })
      : absence('refused.renamed', { symbol, ...renamed });
  return new CodedError('unknown_symbol', sentence);
}
