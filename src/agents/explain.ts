import { asOf, symbol, words } from './arguments.ts';
import { input, rowsOf, stockLink, tool } from './tool.ts';

interface Scored {
  readonly as_of: string;
  readonly symbol: string;
  readonly source: string;
  readonly [block: string]: unknown;
}

interface Ledgers {
  readonly bull: number | null;
  readonly bear: number | null;
  readonly bull_ledger: readonly Line[];
  readonly bear_ledger: readonly Line[];
  readonly nearest_flip?: Readonly<Record<string, unknown>> | null;
}

interface Line {
  readonly inputs: Readonly<Record<string, unknown>>;
}

/** Scores that are sums of lines, and why one may be null. */
const SCORES = {
  confluence_v5: 'No component of the score is known.',
  pulse_v5: 'The pulse is measured from 09:35 on, from bars of a minute.',
  entry_v2:
    'Entries are timed while the session runs: before its first bar and after its close there is no score.',
} as const;

export const explain = tool({
  name: 'explain',
  title: 'Explain a score',
  description: 'Why a score is what it is: the lines that sum to it, their inputs, and what would flip it.',
  input: input({
    symbol,
    field: words(Object.keys(SCORES) as (keyof typeof SCORES)[], 'Default confluence_v5'),
    as_of: asOf,
  }),
  example: { symbol: 'NVDA', field: 'confluence_v5' },
  budget: 2_500,
  async run({ symbol, field = 'confluence_v5', as_of }, fetch) {
    const path = `/stocks/${encodeURIComponent(symbol)}`;
    const stock = await fetch<Scored>({ path, query: { fields: `${field},source`, as_of } });
    const score = stock[field] as Ledgers | null;
    const lines = (['bull', 'bear'] as const).flatMap((side) =>
      (score?.[`${side}_ledger`] ?? []).map((line) => ({ ...line, side, inputs: inputsOf(line) })),
    );
    const columns = ['side', 'component', 'contribution', 'maximum', 'status', 'inputs', 'note'];
    return {
      as_of: stock.as_of,
      source: stock.source,
      symbol: stock.symbol,
      field,
      bull: score?.bull ?? null,
      bear: score?.bear ?? null,
      flip: score?.nearest_flip ?? null,
      columns,
      rows: rowsOf(lines, columns),
      ...(field === 'confluence_v5' && { facts: 'ledger.SIDE.COMPONENT' }),
      units: { contribution: 'points', maximum: 'points' },
      notes: score === null ? [SCORES[field]] : [],
      link: stockLink(symbol),
    };
  },
});

const inputsOf = ({ inputs }: Line): string =>
  Object.entries(inputs)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ');
