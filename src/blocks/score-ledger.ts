import { Type } from 'typebox';
import {
  listOf,
  mapOf,
  nullableNumber,
  nullableString,
  number,
  oneOf,
  record,
  string,
} from '../base/schema.ts';

const inputValue = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]);

/** One line of a score that explains itself: the contributions of all lines sum to the score. */
export const ScoreLedgerLine = record(
  'ScoreLedgerLine',
  'One component of a score and what it contributed.',
  {
    component: string('Name of the component.'),
    inputs: mapOf(inputValue, 'The named inputs that the component was computed from.'),
    score: nullableNumber('Component score; null when an input is missing.', { minimum: 0 }),
    maximum: number('Highest score the component can reach.', { minimum: 0 }),
    weight: number('Weight after rescaling over the components that are present; 0 when dropped.', {
      minimum: 0,
      maximum: 1,
    }),
    contribution: number('Points contributed to the total; the lines of a ledger sum to its score.'),
    status: oneOf(['scored', 'missing'], 'missing: an input was unavailable, the component was dropped.'),
    note: nullableString('Why the component has this score, or which input is missing.'),
  },
);

export const scoreLedger = (description: string) => listOf(ScoreLedgerLine, description);
