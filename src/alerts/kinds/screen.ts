import type { TSchema } from 'typebox';
import { checkScreen } from '../../analysis/screening/check.ts';
import { fieldsIn } from '../../analysis/screening/fields-in.ts';
import { runScreen } from '../../analysis/screening/run.ts';
import type { Screen, ScreenTable } from '../../analysis/screening/screen.ts';
import { onceFor } from '../../base/once-for.ts';
import { Type } from '../../base/type.ts';
import { SCALAR_FIELDS, scalarField } from '../../derive/scalar-fields.ts';
import { defineAlert } from '../kind.ts';
import type { Moment } from '../moment.ts';

const FIELDS = new Map(SCALAR_FIELDS.map((field) => [field.path, field]));

const record = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  } as TSchema);

const parameters = Type.Object(
  {
    filter: record('Conditions as those of the screener.'),
    computed: Type.Optional(record('Numbers computed from fields, by name, as those of the screener.')),
    name: Type.Optional(
      Type.String({ minLength: 1, maxLength: 60, description: 'What the screen is called.' }),
    ),
  },
  { additionalProperties: false },
);

interface Of {
  readonly filter: Record<string, unknown>;
  readonly computed?: Record<string, unknown> | undefined;
  readonly name?: string | undefined;
}

const screenOf = onceFor(({ filter, computed }: Of) => checkScreen({ filter, computed }, FIELDS));

/** Paths of the fields that a screen reads; every moment has its symbol. */
const pathsOf = ({ filter, computed }: Screen): string[] =>
  [...fieldsIn(filter, [...computed.values()])].filter((path) => path !== 'symbol');

/** A table of one row: a stock at a moment. */
function tableOf(moment: Moment): ScreenTable {
  const textAt = (path: string): string | null => (path === 'symbol' ? moment.symbol : moment.text(path));
  return {
    rows: 1,
    symbols: [moment.symbol],
    column(path) {
      const isText = scalarField(path)?.type === 'text';
      return Float64Array.of(isText ? (textAt(path) === null ? Number.NaN : 0) : moment.number(path));
    },
    dictionary: (path) => [textAt(path)].filter((text) => text !== null),
  };
}

/** A stock begins to pass a screen. */
export const screen = defineAlert({
  name: 'screen',
  title: 'a screen gains a stock',
  description:
    'A stock that did not pass a [screen](screener.md) with its minute before passes it now. Without symbols every stock of the market is watched.',
  parameters,
  example: { filter: { field: 'rel_volume', op: '>', value: 2 } },
  isOfMarket: true,
  check: (of) => screenOf(of).faults.map(({ path, msg }) => `${path.join('.')}: ${msg}`),
  fields: (of) => pathsOf(screenOf(of).screen!),
  judge(of, before: boolean | null, moment) {
    const passes = runScreen(screenOf(of).screen!, tableOf(moment)).rows.length > 0;
    const isNew = passes && before === false;
    return { state: passes, fired: isNew ? `passes ${nameOf(of)}` : null };
  },
  sentence: (of) => `a stock begins to pass ${nameOf(of)}`,
});

const nameOf = ({ name }: Of): string => (name === undefined ? 'the screen' : `the screen ${name}`);
