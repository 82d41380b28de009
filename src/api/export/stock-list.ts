import type { TSchema } from 'typebox';
import { chunks } from '../../base/chunks.ts';
import { isCoded } from '../../base/errors.ts';
import { inOrder } from '../../base/in-order.ts';
import { INCLUDE_FIELDS, StockResult } from '../../derive/compose.ts';
import { presentOf } from '../../derive/scalar-fields.ts';
import type { RowSource } from '../../export/column.ts';
import { loadStocks } from '../answers/load-stock.ts';
import { columnsOfList, type ExportKind, KNOWN_COLUMNS } from './kind.ts';

/** Stocks of one query; a date has several such. */
const STOCKS_AT_ONCE = 16;
/** What records beside a stock say follows from other sessions. */
const WITHOUT = /^record\./;

interface StockList extends Pick<ExportKind, 'name' | 'says'> {
  /** The include word of its block. */
  readonly include: string;
  /** Where the list is within the block, by names from its top. */
  readonly at?: readonly string[];
}

/** An export of the elements of a list of the stock detail: each of their single values is a column. */
export function stockList({ name, says, include, at = [] }: StockList): ExportKind {
  const block = INCLUDE_FIELDS.get(include)!;
  const path = [block, ...at];
  const list = path.reduce<TSchema>(
    (node, part) => presentOf((node as { properties?: Record<string, never> }).properties![part]!) as TSchema,
    StockResult,
  );
  const { items } = list as unknown as { readonly items: TSchema };
  const columns = [...KNOWN_COLUMNS, ...columnsOfList(items, path.join('.'), WITHOUT)];
  return {
    name,
    says,
    columns: () => columns,
    partition: () => 'year',
    async *batches(context, { tradeDates, tapes, viewer, signal, onRead }) {
      for (const date of tradeDates) {
        const read = async (some: readonly string[]): Promise<RowSource[]> => {
          const request = { date, includes: [include], fields: [block] };
          const found = await loadStocks(context, some, request, viewer, signal);
          onRead(some.length);
          return some.flatMap((symbol) => {
            const stock = found.get(symbol)!;
            if (!(stock instanceof Error))
              return { json: stock.values[block]!, at, same: { trade_date: date, symbol } };
            if (isCoded(stock, 'no_data_for_date') || isCoded(stock, 'unknown_symbol')) return [];
            throw stock;
          });
        };
        const sources: RowSource[] = [];
        const symbols = tapes.map(({ symbol }) => symbol);
        for await (const some of inOrder(chunks(symbols, STOCKS_AT_ONCE), read, 2)) sources.push(...some);
        yield { sources, isSorted: false };
      }
    },
  };
}
