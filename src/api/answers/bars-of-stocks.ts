import { chunks } from '../../base/chunks.ts';
import type { BarsQuestion } from '../../derive/bars.ts';
import type { AppContext } from '../context/app-context.ts';

/** Stocks whose bars are read beside each other. */
const STOCKS_AT_ONCE = 8;

/** Bars in ascending time, one column a price; dollars. */
export interface ReadBars {
  readonly time: readonly string[];
  readonly open: readonly number[];
  readonly high: readonly number[];
  readonly low: readonly number[];
  readonly close: readonly number[];
}

/** Bars of a regular session by symbol, in shares of the date of their instant; of a stock without such bars none. */
export async function barsOfStocks(
  { tapes, deriver }: Pick<AppContext, 'tapes' | 'deriver'>,
  symbols: readonly string[],
  asked: Omit<BarsQuestion, 'adjusted' | 'session' | 'keep'>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadBars>> {
  const question = { ...asked, adjusted: true, session: 'regular', keep: 'first' } as const;
  const read = new Map<string, ReadBars>();
  for (const part of chunks(await tapes.symbolTapes(symbols, { signal }), STOCKS_AT_ONCE)) {
    await Promise.all(
      part.map(async (tape) => {
        const request = { tape, question, format: 'json', source: '', cursor: '' } as const;
        const { body } = await deriver.bars(request, { signal });
        read.set(tape.symbol, JSON.parse(`${body}`));
      }),
    );
  }
  return read;
}
