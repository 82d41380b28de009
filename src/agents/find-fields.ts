import { freeText, limit } from './arguments.ts';
import { input, rowsOf, tool } from './tool.ts';

interface Field {
  readonly path: string;
  readonly unit: string | null;
  readonly type: string;
  readonly description: string;
  readonly label: string;
  readonly short_name: string | null;
  readonly aliases: readonly string[];
}

const LIMIT = 25;

export const findFields = tool({
  name: 'find_fields',
  title: 'Find fields',
  description:
    'Field paths for get_stock, get_series, explain and screen, by words of their name or meaning.',
  input: input({ q: freeText(1, 100), limit: limit(LIMIT, 10) }),
  example: { q: 'rsi', limit: 5 },
  budget: 1_200,
  async run({ q, limit = 10 }, fetch) {
    const { fields } = await fetch<{ fields: readonly Field[] }>({ path: '/screener/fields' });
    const found = matching(fields, q);
    return {
      // Names of fields are the same at every instant and for every feed.
      as_of: null,
      source: null,
      columns: ['path', 'unit', 'type', 'meaning'],
      rows: rowsOf(found.slice(0, limit), ['path', 'unit', 'type', 'description']),
      notes: [`${found.length} fields match.`],
      next: found.length > limit && limit < LIMIT ? { limit: Math.min(LIMIT, found.length) } : null,
    };
  },
});

/** Fields that have every word: in their path first, then in one of their names, then in what they mean. */
function matching(fields: readonly Field[], q: string): readonly Field[] {
  const asked = q
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  const has = (text: string): boolean => asked.every((word) => text.toLowerCase().includes(word));
  const placeOf = ({ path, description, label, short_name, aliases }: Field): number =>
    [has(path), [label, short_name ?? '', ...aliases].some(has), has(`${path} ${description}`), true].indexOf(
      true,
    );
  const places = Map.groupBy(fields, placeOf);
  return [0, 1, 2].flatMap((place) => places.get(place) ?? []);
}
