import { Type } from '../base/type.ts';
import { asOf, symbol } from './arguments.ts';
import { input, picked, rowsOf, type Sourced, stockLink, tool } from './tool.ts';

interface Explained extends Sourced {
  readonly symbol: string;
  readonly field: string;
  readonly value: unknown;
  readonly null_reason: string | null;
  readonly unit: string | null;
  readonly formula: Readonly<Record<string, unknown>> & { readonly block: string };
  readonly ledger: readonly { readonly inputs: Readonly<Record<string, unknown>> }[];
  readonly inputs: readonly { readonly source: string; readonly instant: string }[];
  readonly nearest_flip: Readonly<Record<string, unknown>> | null;
  readonly nearest_flip_says: string | null;
  readonly record: { readonly says: string } | null;
}

export const explain = tool({
  name: 'explain',
  title: 'Explain a field',
  description:
    'How a value came about: formula, the lines a score sums, their inputs, what would flip it, its record.',
  input: input({
    symbol,
    field: Type.Optional(Type.String({ maxLength: 200, description: 'Default net_confluence' })),
    as_of: asOf,
  }),
  example: { symbol: 'NVDA', field: 'net_confluence' },
  budget: 2_500,
  async run({ symbol, field = 'net_confluence', as_of }, fetch) {
    const path = `/stocks/${encodeURIComponent(symbol)}/explain`;
    const told = await fetch<Explained>({ path, query: { field, as_of } });
    const lines = told.ledger.map((line) => ({ ...line, inputs: inputsOf(line) }));
    const columns = ['side', 'component', 'contribution', 'maximum', 'status', 'inputs', 'note'];
    return {
      ...picked(told, 'as_of', 'source', 'symbol', 'field', 'value', 'unit', 'formula'),
      flip: told.nearest_flip,
      flip_says: told.nearest_flip_says,
      record: told.record?.says ?? null,
      inputs_as_of: Object.fromEntries(told.inputs.map(({ source, instant }) => [source, instant])),
      columns,
      rows: rowsOf(lines, columns),
      facts: [
        `stock.${told.field}`,
        ...(told.formula.block === 'confluence_v5' ? ['ledger.SIDE.COMPONENT'] : []),
      ],
      units: { contribution: 'points', maximum: 'points' },
      notes: told.null_reason === null ? [] : [told.null_reason],
      link: stockLink(symbol),
    };
  },
});

const inputsOf = ({ inputs }: Explained['ledger'][number]): string =>
  Object.entries(inputs)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
