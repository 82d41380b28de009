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
      const { id } = await fetch<{ id: string }>({
        method: 'DELETE',
        path: `/alerts/${encodeURIComponent(remove)}`,
      });
      return { as_of: null, source: null, notes: [`Alert ${id} is gone.`], next: null, link: '/alerts' };
    }
    if (rule !== undefined) {
      if (keep) {
        const { id, sentence } = await fetch<Alert>({ method: 'POST', path: '/alerts', body: rule });
        return { as_of: null, source: null, id, notes: [`Kept: ${sentence}.`], next: null, link: '/alerts' };
      }
      const { sentence, as_of, says, firings } = await fetch<Preview>({
        method: 'POST',
        path: '/alerts/preview',
        body: rule,
      });
      const notes = [`${sentence}.`, says];
      const link = rule.symbols?.[0] === undefined ? '/alerts' : stockLink(rule.symbols[0]);
      return {
        as_of,
        source: null,
        columns: COLUMNS,
        rows: rowsOf(firings, COLUMNS),
        notes,
        next: null,
        link,
      };
    }
    const { alerts: kept } = await fetch<{ alerts: readonly Alert[] }>({ path: '/alerts' });
    const { as_of, firings } = await fetch<{ as_of: string; firings: readonly Fired[] }>({
      path: '/alerts/firings',
      query: { limit: 50 },
    });
    return {
      as_of,
      source: null,
      alerts: kept.slice(0, 50).map(({ id, sentence, state }) => `${id}: ${sentence} (${state})`),
      columns: COLUMNS,
      rows: rowsOf(firings, COLUMNS),
      next: null,
      link: '/alerts',
    };
  },
});
