import { chunks } from '../../base/chunks.ts';
import type { AppContext } from '../context/app-context.ts';

/** Stocks whose closes are read beside each other. */
const STOCKS_AT_ONCE = 8;
/** More than the bars of a regular session. */
const CLOSES_MAX = 40;

interface Asked {
  readonly symbols: readonly string[];
  readonly tradeDate: string;
  /** No bar counts that became final later, epoch milliseconds. */
  readonly asOf: number;
}

/**
 * The closes of the 15-minute bars of a regular session by symbol, dollars, in ascending time; of a stock without such
 * bars the list is empty.
 */
export async function sessionCloses(
  { calendar, tapes, deriver }: Pick<AppContext, 'calendar' | 'tapes' | 'deriver'>,
  { symbols, tradeDate, asOf }: Asked,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { open, close } = calendar.session(tradeDate)!;
  const question = {
    interval: '15m',
    from: open,
    to: Math.min(asOf, close - 1),
    asOf,
    adjusted: true,
    session: 'regular',
    limit: CLOSES_MAX,
    keep: 'first',
  } as const;
  const closes = new Map<string, readonly number[]>();
  for (const part of chunks(await tapes.symbolTapes(symbols, { signal }), STOCKS_AT_ONCE)) {
    await Promise.all(
      part.map(async (tape) => {
        const request = { tape, question, format: 'json', source: '', cursor: '' } as const;
        const { body } = await deriver.bars(request, { signal });
        closes.set(tape.symbol, (JSON.parse(`${body}`) as { close: number[] }).close);
      }),
    );
  }
  return closes;
}
