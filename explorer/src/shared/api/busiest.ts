import { dataOf, TigraphError } from '@tigraph/client';
import { client } from './client.ts';

/** The stock that trades most against its average among those of which all conditions hold; null where none is known. */
export async function busiestStock(
  all: readonly unknown[],
  signal: AbortSignal,
): Promise<{ readonly symbol: string; readonly date: string } | null> {
  try {
    const { date, rows } = await dataOf(
      client.POST('/api/graph/v1/screener', {
        body: {
          filter: { all },
          sort: [{ field: 'rel_volume', order: 'desc' }],
          select: ['rel_volume'],
          limit: 1,
        },
        signal,
      }),
    );
    const symbol = rows[0]?.symbol;
    return typeof symbol === 'string' ? { symbol, date } : null;
  } catch (error) {
    // Nothing has been derived yet, or the token may not screen: any stock will do.
    if (error instanceof TigraphError && !error.isTemporary) return null;
    throw error;
  }
}
