import { describe, expect, it } from 'vitest';
import { SCALAR_FIELDS } from '../../../src/derive/scalar-fields.ts';
import { fieldWords, inputWords, TERMS } from '../../../src/texts/glossary.ts';

const PATHS = new Set(SCALAR_FIELDS.map(({ path }) => path));
const NAMED = SCALAR_FIELDS.map(({ path }) => ({ path, ...fieldWords(path) }));

describe('the glossary', () => {
  it('names fields that there are, and the facts that follow from them', () => {
    const ids = TERMS.flatMap(({ facts, formulas }) => [facts, ...formulas.map(({ of }) => of)].flat());
    const paths = ids.filter((id) => id.startsWith('stock.') && !id.includes('*')).map((id) => id.slice(6));
    const unknown = paths.filter((path) => !PATHS.has(path.replace(/_bn$/, '')));
    expect([...new Set(unknown)]).toEqual(['earnings.consecutive_misses']);
  });

  it('gives no name to two fields', () => {
    const names = NAMED.flatMap(({ path, shortName, aliases }) =>
      [...new Set([shortName ?? '', ...aliases].map((name) => name.toLowerCase()))].map(
        (name) => [name, path] as const,
      ),
    );
    const shared = [...Map.groupBy(names, ([name]) => name)].filter(
      ([name, of]) => name !== '' && of.length > 1,
    );
    expect(shared.map(([name]) => name)).toEqual([]);
  });

  it('has label, short name and aliases of a field, and lends the short name to inputs of the score', () => {
    const { label, shortName, aliases } = fieldWords('technical.rsi_14');
    expect([label, shortName, inputWords('rsi_14')]).toEqual([
      'fourteen-session relative strength index',
      'RSI',
      'RSI',
    ]);
    expect(aliases).toContain('relative strength index');
    expect(fieldWords('options.put_call_ratio').aliases).toContain('p/c ratio');
    expect(fieldWords('levels.pdh')).toMatchObject({
      shortName: "prior day's high",
      label: 'prior session high',
    });
    expect(fieldWords('levels.pdh').aliases).toContain("yesterday's high");
  });

  it('serves names alone, and not what a sentence says instead', () => {
    const aliases = NAMED.flatMap((field) => field.aliases);
    expect(aliases.length).toBeGreaterThan(500);
    expect(
      aliases.filter((name) => name !== name.trim() || / {2}|[(){}|]| (?:at|by|is|in|to)$/.test(name)),
    ).toEqual([]);
  });
});
