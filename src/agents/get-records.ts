import { Type } from '../base/type.ts';
import { limit } from './arguments.ts';
import { input, rowsOf, type Sourced, tool } from './tool.ts';

const SHARES = ['rate', 'low', 'high', 'chance', 'edge_low', 'edge_high'] as const;

interface Records extends Sourced {
  readonly records: readonly (Readonly<Record<(typeof SHARES)[number], number | null>> & {
    readonly id: string;
    readonly n: number;
    readonly undecided: number;
    readonly simulated: boolean;
    readonly shared_with: readonly { readonly key: string; readonly share: number }[];
  })[];
}

/** Records of which the families at the same prices are named. */
const SHARED_SAID = 3;

export const getRecords = tool({
  name: 'get_records',
  title: 'Records of claims',
  description:
    'How often claims of a kind came true, with a 95 % interval over dates, and how often by chance.',
  input: input({
    kind: Type.Optional(Type.String({ maxLength: 20, description: 'As level or score' })),
    key: Type.Optional(Type.String({ maxLength: 80, description: 'As prior_day' })),
    symbol: Type.Optional(Type.String({ maxLength: 20, description: 'Explored, no verdict' })),
    limit: limit(40, 15),
  }),
  example: { kind: 'level', key: 'prior_day' },
  budget: 2_500,
  async run({ limit = 15, ...query }, fetch) {
    const { as_of, source, records } = await fetch<Records>({ path: '/records', query });
    // What rests on most comes first.
    const ranked = records
      .toSorted((one, other) => other.n - one.n)
      .map((record) => ({
        ...record,
        ...Object.fromEntries(SHARES.map((name) => [name, percentOf(record[name])])),
      }));
    const columns = 'id n dates rate low high chance edge_low edge_high tested verdict'.split(' ');
    const undecided = records.reduce((sum, record) => sum + record.undecided, 0);
    return {
      as_of,
      source,
      columns,
      units: { rate: '%', low: '%', high: '%', chance: '%', edge_low: 'points', edge_high: 'points' },
      rows: rowsOf(ranked.slice(0, limit), columns),
      facts: 'record.KIND.KEY.rate, .low, .high, .chance, .true, .n, .dates',
      notes: [
        `${undecided} claims were undecided.`,
        ...ranked.slice(0, SHARED_SAID).flatMap(({ id, shared_with: shared }) => {
          const said = shared.map(({ key, share }) => `${key} ${percentOf(share)} %`);
          return said.length === 0 ? [] : [`${id}: touches of other families too: ${said.join(', ')}.`];
        }),
        ...(records.some(({ simulated }) => simulated)
          ? ['Of simulated data: no evidence about any market.']
          : []),
      ],
      next: ranked.length > limit && limit < 40 ? { limit: 40 } : null,
      link: '/records',
    };
  },
});

const percentOf = (share: number | null): number | null =>
  share === null ? null : Math.round(share * 1_000) / 10;
