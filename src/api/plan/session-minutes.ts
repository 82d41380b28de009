import { chunks } from '../../base/chunks.ts';
import type { Session } from '../../base/calendar.ts';
import { MINUTE_MS, midnightUtc } from '../../base/dates.ts';
import type { SymbolTape } from '../../tape/index.ts';
import type { AppContext } from '../context/app-context.ts';
import type { SeenSession } from './review-stock.ts';

/** Stocks that are read beside each other. */
const STOCKS_AT_ONCE = 8;
/** More than a regular session has. */
const MINUTES_MAX = 500;

interface Columns {
  readonly time: readonly string[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

/**
 * What is seen of a session by symbol: its minutes, and its close once it is over.
 *
 * @param asOf no bar counts that became final later, epoch milliseconds
 */
export async function seenSessions(
  { tapes, deriver }: Pick<AppContext, 'tapes' | 'deriver'>,
  symbols: readonly string[],
  session: Session,
  asOf: number,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, SeenSession>> {
  const { open, close, tradeDate } = session;
  const isOver = asOf >= close;
  const day = midnightUtc(tradeDate);
  const read = async (
    tape: SymbolTape,
    interval: '1m' | '1d',
    from: number,
    to: number,
  ): Promise<Columns> => {
    const question = {
      ...{ interval, from, to, asOf, limit: MINUTES_MAX },
      adjusted: true,
      session: 'regular',
      keep: 'first',
    } as const;
    const request = { tape, question, format: 'json', source: '', cursor: '' } as const;
    return JSON.parse((await deriver.bars(request, { signal })).body as string);
  };
  const seen = new Map<string, SeenSession>();
  for (const part of chunks(await tapes.symbolTapes(symbols, { signal }), STOCKS_AT_ONCE))
    await Promise.all(
      part.map(async (tape) => {
        const minutes = await read(tape, '1m', open, Math.min(asOf, close) - MINUTE_MS);
        const daily = isOver ? await read(tape, '1d', day, day) : null;
        seen.set(tape.symbol, {
          open,
          bars: minutes.time.length === 0 ? null : barsOf(minutes, open),
          close: daily?.close[0] ?? null,
          isOver,
        });
      }),
    );
  return seen;
}

const barsOf = ({ time, ...prices }: Columns, opened: number): NonNullable<SeenSession['bars']> => ({
  minute: Int32Array.from(time, (at) => Math.round((Date.parse(at) - opened) / MINUTE_MS)),
  open: Float64Array.from(prices.open),
  high: Float64Array.from(prices.high),
  low: Float64Array.from(prices.low),
  close: Float64Array.from(prices.close),
});
