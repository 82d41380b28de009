import { inFields } from '../../files/choices.ts';
import { REFUSALS, type Refused } from '../../market/refusals.ts';
import type { ImportAnswer } from './schema.ts';

type RefusedRows = NonNullable<ImportAnswer['report']>['refused'][number];

export const refusedRowsOf = ({
  reason,
  where,
  example,
  ...counted
}: Pick<Refused, 'reason' | 'where' | 'example'> &
  ({ readonly rows: number } | { readonly count: number })): RefusedRows => ({
  reason,
  meaning: REFUSALS[reason],
  rows: 'rows' in counted ? counted.rows : counted.count,
  where,
  first: inFields(example),
});
