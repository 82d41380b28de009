import type { TSchema } from 'typebox';
import { listRecords } from '../records/list-records.ts';
import { RecordsAnswer } from '../records/schema.ts';
import { columnsOfList, type ExportKind } from './kind.ts';

const { items } = RecordsAnswer.properties.records as unknown as { readonly items: TSchema };
const columns = columnsOfList(items, 'records', /^$/);

export const records: ExportKind = {
  name: 'records',
  says: 'a record: how often a kind of claim came true, and how often by chance; one file',
  columns: () => columns,
  partition: () => 'all',
  async *batches(context, { viewer, isNamed, tapes, simulated, range }) {
    const own = isNamed ? { ...viewer, symbols: new Set(tapes.map(({ symbol }) => symbol)) } : viewer;
    const market = simulated ? 'simulated' : 'real';
    const answer = await listRecords(context, { ...range, market }, own);
    yield { sources: [{ json: JSON.stringify(answer.records), at: [] }], isSorted: false };
  },
};
