import { barsOfStocks } from '../answers/bars-of-stocks.ts';
import type { AppContext } from '../context/app-context.ts';

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
  context: Pick<AppContext, 'calendar' | 'tapes' | 'deriver'>,
  { symbols, tradeDate, asOf }: Asked,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { open, close } = context.calendar.session(tradeDate)!;
  const question = {
    interval: '15m',
    from: open,
    to: Math.min(asOf, close - 1),
    asOf,
    limit: CLOSES_MAX,
  } as const;
  const bars = await barsOfStocks(context, symbols, question, signal);
  return new Map(Array.from(bars, ([symbol, read]) => [symbol, read.close]));
}
