import { VERDICTS } from '../analysis/records/verdicts.ts';
import * as wire from '../base/schema.ts';
import { Type } from '../base/type.ts';

const share = (description: string) => wire.nullableNumber(description, wire.FRACTION);

export const RecordBeside = wire.record(
  'RecordBeside',
  'How often claims of the kind came true, and how often by chance.',
  {
    id: wire.string('Names the record: `/api/graph/v1/records` has the whole of it.'),
    n: wire.integer('Claims that came true or did not.', wire.NOT_NEGATIVE),
    dates: wire.integer('Trade dates with such a claim.', wire.NOT_NEGATIVE),
    true: wire.integer('Claims that came true.', wire.NOT_NEGATIVE),
    rate: share('Share that came true; null with too few.'),
    low: share('Lower limit of its 95 % interval over dates.'),
    high: share('Upper limit of its 95 % interval over dates.'),
    chance: share('Share of the controls that came true.'),
    verdict: wire.oneOf(VERDICTS, 'Whether an edge is shown.'),
    simulated: wire.flag('True where some of the data was simulated.'),
    says: wire.string('The record in a sentence.'),
  },
);

/** A property of a claim that is there with `include=records` alone, and never stored. */
export const record = Type.Optional(wire.nullable(RecordBeside));
