import { chunks } from '../../base/chunks.ts';
import { DAY_MS, midnightUtc, newYorkMidnight } from '../../base/calendar.ts';
import { dateOf } from '../../base/dates.ts';
import { inOrder } from '../../base/in-order.ts';
import { isIntradayInterval } from '../../derive/bars.ts';
import type { ExportColumn, RowSource } from '../../export/column.ts';
import { BarsResult } from '../bars/schema.ts';
import { type ExportKind, type ExportPart, KNOWN_COLUMNS, SYMBOL, TRADE_DATE } from './kind.ts';

/** Of which the rows of a session are written together: some ten thousand minutes. */
const STOCKS_AT_ONCE = 100;

const numbers = (['open', 'high', 'low', 'close', 'volume', 'vwap', 'delta'] as const).map(
  (name): ExportColumn => {
    const { description } = BarsResult.properties[name] as { description?: string };
    const unit = name === 'volume' || name === 'delta' ? 'shares' : 'USD';
    return { name, path: name, type: 'number', unit, description: description ?? '', words: null };
  },
);
const time: ExportColumn = {
  ...{ name: 'time', path: 'time', type: 'instant', unit: null, words: null, isKnown: true },
  description: 'Beginning of the bar.',
};

/** As traded unless asked otherwise: an adjusted price changes with every later split. */
export const bars: ExportKind = {
  name: 'bars',
  says: 'a bar of a stock: minutes one file a session, days and weeks one file a year',
  columns: ({ interval }) =>
    isIntradayInterval(interval)
      ? [...KNOWN_COLUMNS, time, ...numbers]
      : // The time of a bar of days is its trade date.
        [{ ...TRADE_DATE, path: 'time' }, SYMBOL, ...numbers],
  partition: ({ interval }) => (isIntradayInterval(interval) ? 'date' : 'year'),
  async *batches(context, part) {
    const { tradeDates, tapes, interval, session, adjusted, viewer, signal, onRead } = part;
    const isIntraday = isIntradayInterval(interval);
    const [from, to] = [tradeDates[0]!, tradeDates.at(-1)!];
    const span = isIntraday
      ? { from: newYorkMidnight(from), to: newYorkMidnight(dateOf(midnightUtc(to) + DAY_MS)) - 1 }
      : { from: midnightUtc(from), to: midnightUtc(to) };
    const read = async (tape: ExportPart['tapes'][number]): Promise<RowSource> => {
      const question = {
        ...{ ...span, interval, session, adjusted, asOf: viewer.asOf },
        limit: Number.POSITIVE_INFINITY,
        keep: 'first',
      } as const;
      const request = { tape, question, format: 'arrow', source: viewer.source, cursor: '' } as const;
      const { body } = await context.deriver.bars(request, { signal, isBulk: true });
      onRead(tradeDates.length);
      const same = { symbol: tape.symbol, ...(isIntraday ? { trade_date: from } : {}) };
      return { arrow: body as Uint8Array, same };
    };
    for (const some of isIntraday ? chunks(tapes, STOCKS_AT_ONCE) : [tapes]) {
      const sources: RowSource[] = [];
      for await (const source of inOrder(some, read)) sources.push(source);
      yield { sources, isSorted: !isIntraday };
    }
  },
};
