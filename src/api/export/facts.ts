import { chunks } from '../../base/chunks.ts';
import { SCALAR_FIELDS, scalarField } from '../../derive/scalar-fields.ts';
import type { RowSource } from '../../export/column.ts';
import { readScreenCatalogues } from '../../graph/screen-rows.ts';
import { panelParts, STOCKS_AT_ONCE } from '../panel/get-panel.ts';
import { columnOf, type ExportKind, KNOWN_COLUMNS, sessionsAtOnce } from './kind.ts';

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
    const of = { fields, asOf: viewer.asOf, catalogues, signal, metadata: {} };
    const panel = { ...of, derives: true, awaitsPeers: true, format: 'arrow' } as const;
    for (const dates of chunks(tradeDates, sessionsAtOnce(part))) {
      const sources: RowSource[] = [];
      for await (const arrow of panelParts(context, { ...panel, tradeDates: dates }, tapes)) {
        sources.push({ arrow: arrow as Uint8Array });
        onRead(STOCKS_AT_ONCE * dates.length);
      }
      yield { sources, isSorted: true };
    }
  },
};
