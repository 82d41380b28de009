import { chunks } from '../../base/chunks.ts';
import { quarterOf } from '../../base/dates.ts';
import { CodedError } from '../../base/errors.ts';
import { SCALAR_FIELDS, scalarField } from '../../derive/scalar-fields.ts';
import type { RowSource } from '../../export/column.ts';
import { readScreenCatalogues } from '../../graph/screen-rows.ts';
import { needsPeers, peersInTime } from '../answers/peers-in-time.ts';
import type { AppContext } from '../context/app-context.ts';
import { topOf } from '../history/find-days.ts';
import { panelParts } from '../panel/get-panel.ts';
import { columnOf, type ExportKind, type ExportPart, KNOWN_COLUMNS, sessionsAtOnce } from './kind.ts';

/** Of one query: their stored columns are some hundred kilobytes each. */
const STOCKS_AT_ONCE = 4;
/** Those that hold the known columns already. */
const IN_EVERY_ROW: ReadonlySet<string> = new Set(KNOWN_COLUMNS.map(({ path }) => path));
const FACT_COLUMNS = [
  ...KNOWN_COLUMNS,
  ...SCALAR_FIELDS.filter(({ path }) => !IN_EVERY_ROW.has(path)).map(columnOf),
];

/** The values of panels and histories: stored as columns, in rows, or derived on the way. */
export const facts: ExportKind = {
  name: 'facts',
  says: 'every single value of the stock detail for a stock and a session; one file a year, by date and symbol',
  columns: () => FACT_COLUMNS,
  partition: () => 'year',
  async *batches(context, part) {
    const { tradeDates, tapes, columns, viewer, signal, onRead } = part;
    const fields = columns.slice(KNOWN_COLUMNS.length).map(({ path }) => scalarField(path)!);
    const catalogues = await readScreenCatalogues(context.database, { signal });
    const of = { fields, asOf: viewer.asOf, catalogues, signal, metadata: {}, stocksAtOnce: STOCKS_AT_ONCE };
    const panel = { ...of, derives: true, awaitsPeers: true, format: 'arrow' } as const;
    const wantsPeers = needsPeers(fields.map(topOf));
    // The stored columns of a quarter are read together.
    const quarters = Map.groupBy(tradeDates, quarterOf).values();
    for (const dates of quarters.flatMap((own) => chunks(own, sessionsAtOnce(part)))) {
      if (wantsPeers) await measurePeers(context, part, dates);
      const sources: RowSource[] = [];
      for await (const arrow of panelParts(context, { ...panel, tradeDates: dates }, tapes)) {
        sources.push({ arrow: arrow as Uint8Array });
        onRead(STOCKS_AT_ONCE * dates.length);
      }
      yield { sources, isSorted: true };
    }
  },
};

/** Sessions that are measured together; each try waits for half as long as an answer may take. */
const MEASURED_AT_ONCE = 16;
const TRIES = 20;

/**
 * Has completed sessions measured against the peers of the stocks, so that no file depends on when it was made.
 *
 * @throws CodedError query_timeout where they cannot be measured
 */
async function measurePeers(
  context: AppContext,
  { tapes, viewer, signal }: ExportPart,
  dates: readonly string[],
): Promise<void> {
  const { calendar } = context;
  const [tape] = tapes;
  if (tape === undefined) return;
  const ended = dates.filter((date) => viewer.asOf >= calendar.session(date)!.postClose);
  for (const some of chunks(ended, MEASURED_AT_ONCE)) {
    const days = some.map((tradeDate) => ({ symbol: tape.symbol, tradeDate }));
    let measured = 0;
    for (let tries = 0; measured < days.length && tries < TRIES; tries++)
      measured = new Set((await peersInTime(context, days, signal)).map(({ tradeDate }) => tradeDate)).size;
    if (measured < days.length)
      throw new CodedError(
        'query_timeout',
        `The stocks could not be compared with their peers from ${some[0]} to ${some.at(-1)}; ask again, or for fields that do not need it`,
      );
  }
}
