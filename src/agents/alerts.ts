import { Type } from '../base/type.ts';
import { input, rowsOf, stockLink, tool } from './tool.ts';

interface Fired {
  readonly symbol: string;
  readonly at: string;
  readonly price: number | null;
  readonly says: string;
}

interface Preview {
  readonly sentence: string;
  readonly as_of: string;
  readonly says: string;
  readonly firings: readonly Fired[];
}

interface Rule {
  readonly symbols?: readonly string[];
}

interface Alert {
  readonly id: string;
  readonly sentence: string;
  readonly state: string;
}

const COLUMNS = ['symbol', 'at', 'price', 'says'];
const DONE = { as_of: null, source: null, next: null, link: '/alerts' };

export const alerts = tool({
  name: 'alerts',
  title: 'Alerts',
  description:
    'Of a rule {kind: crosses|enters|level|gap|silent|screen, parameters, symbols} when it would have fired; keep saves it.',
  input: input({
    rule: Type.Optional(Type.Unsafe<Rule>({ type: 'object', additionalProperties: true })),
    keep: Type.Optional(Type.Boolean()),
    remove: Type.Optional(Type.String({ maxLength: 36 })),
  }),
  example: {
    rule: {
      kind: 'crosses',
      parameters: { field: 'last_price', direction: 'above', other: 'levels.vwap' },
      symbols: ['SPY'],
    },
  },
  budget: 2_000,
  starts: 'and removes',
  async run({ remove, keep = false, rule }, fetch) {
    if (remove !== undefined) {
      const path = `/alerts/${encodeURIComponent(remove)}`;
      const { id } = await fetch<{ id: string }>({ method: 'DELETE', path });
      return { ...DONE, notes: [`Alert ${id} is gone.`] };
    }
    if (rule !== undefined && keep) {
      const { id, sentence } = await fetch<Alert>({ method: 'POST', path: '/alerts', body: rule });
      return { ...DONE, id, notes: [`Kept: ${sentence}.`] };
    }
    if (rule !== undefined) {
      const asked = { method: 'POST', path: '/alerts/preview', body: rule } as const;
      const { sentence, as_of, says, firings } = await fetch<Preview>(asked);
      return {
        ...DONE,
        as_of,
        columns: COLUMNS,
        rows: rowsOf(firings, COLUMNS),
        notes: [`${sentence}.`, says],
        link: rule.symbols?.[0] === undefined ? '/alerts' : stockLink(rule.symbols[0]),
      };
    }
    const { alerts: kept } = await fetch<{ alerts: readonly Alert[] }>({ path: '/alerts' });
    const { as_of, firings } = await fetch<{ as_of: string; firings: readonly Fired[] }>({
      path: '/alerts/firings',
      query: { limit: 50 },
    });
    return {
      ...DONE,
      as_of,
      alerts: kept.slice(0, 50).map(({ id, sentence, state }) => `${id}: ${sentence} (${state})`),
      columns: COLUMNS,
      rows: rowsOf(firings, COLUMNS),
    };
  },
});
