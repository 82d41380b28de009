import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { INCLUDE_FIELDS, StockResult } from '../../src/derive/compose.ts';

/** The contract of the stock detail endpoint against the schema that is served as OpenAPI. */

interface Field {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly format?: string;
  readonly deprecated?: boolean;
  /** Title of the record, of the items' record, or type of the items. */
  readonly ref?: string;
  readonly listOf?: string;
  readonly items?: string;
  readonly chosen?: readonly string[];
}

interface RecordContract {
  readonly required: readonly string[];
  readonly open?: boolean;
  readonly fields: Readonly<Record<string, Field>>;
}

interface Contract {
  readonly include: Readonly<Record<string, string>>;
  readonly records: Readonly<Record<string, RecordContract>>;
}

interface Schema {
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: Schema;
  readonly enum?: readonly (string | null)[];
  readonly [keyword: string]: unknown;
}

const contract: Contract = JSON.parse(
  readFileSync(new URL('../../fixtures/contract/stock-result.json', import.meta.url), 'utf8'),
);
// Through JSON, because that is what a reader of the OpenAPI document gets.
const served: Schema = JSON.parse(JSON.stringify(StockResult));

/** A wire schema in the words of the transcription. */
function asField(schema: Schema): Field {
  const core = schema.anyOf?.find((branch) => branch.type !== 'null') ?? schema;
  const types = [schema.type ?? []].flat();
  const nullable = types.includes('null') || (schema.anyOf?.some(({ type }) => type === 'null') ?? false);
  const nulls = nullable ? { nullable } : {};
  if (core.type === 'object') return { ref: core.title ?? '', ...nulls };
  const type = [core.type ?? []].flat().find((word) => word !== 'null') ?? '';
  if (type === 'array' && core.items?.type === 'object') return { listOf: core.items.title ?? '', ...nulls };
  const field: Record<string, unknown> = { type, ...nulls };
  if (core.items !== undefined) field.items = core.items.type;
  if (core.enum !== undefined) {
    expect(core.enum.includes(null), 'a nullable vocabulary lists null').toBe(nullable);
    field.enum = core.enum.filter((word) => word !== null);
  }
  for (const keyword of ['minimum', 'maximum', 'default', 'format', 'deprecated']) {
    if (keyword in core) field[keyword] = core[keyword];
  }
  return field;
}

/** Every record of the served schema by its title. */
function recordsOf(schema: Schema, found = new Map<string, Schema>()): Map<string, Schema> {
  if (schema.properties !== undefined && schema.title !== undefined) found.set(schema.title, schema);
  for (const child of [
    ...Object.values(schema.properties ?? {}),
    ...(schema.anyOf ?? []),
    ...(schema.items === undefined ? [] : [schema.items]),
  ]) {
    recordsOf(child, found);
  }
  return found;
}

const records = recordsOf(served);

describe.each(Object.entries(contract.records))('%s', (title, { fields, required, open }) => {
  const schema = records.get(title)!;

  it.each(Object.entries(fields))('%s', (name, { chosen: _, ...field }) => {
    expect(schema.properties).toHaveProperty([name]);
    expect(asField(schema.properties![name]!)).toEqual(field);
  });

  it('requires what the contract requires', () => {
    expect([...(schema.required ?? [])].sort()).toEqual([...required].sort());
  });

  it('is closed unless the contract leaves it open', () => {
    if (!open) expect(schema.additionalProperties).toBe(false);
  });
});

it('has the named fields beyond the contract: -u writes them', async () => {
  const added = Object.entries(contract.records).flatMap(([title, { fields, open }]) =>
    Object.keys(open ? {} : records.get(title)!.properties!)
      .filter((name) => !(name in fields))
      .map((name) => `${title}.${name}\n`),
  );
  await expect(added.join('')).toMatchFileSnapshot('../../fixtures/contract/added.txt');
});

describe('the composed schema', () => {
  it('describes every field, at every depth', () => {
    const silent = [...records].flatMap(([title, { properties }]) =>
      Object.entries(properties!)
        .filter(([, schema]) => !describes(schema))
        .map(([name]) => `${title}.${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('gives every record a unique title', () => {
    const shapes = new Map<string, string>();
    const walk = (schema: Schema): void => {
      if (schema.properties !== undefined) {
        const shape = JSON.stringify(schema);
        expect(schema.title, shape.slice(0, 80)).toBeTruthy();
        expect(shapes.get(schema.title!) ?? shape, schema.title).toBe(shape);
        shapes.set(schema.title!, shape);
      }
      for (const child of [...Object.values(schema.properties ?? {}), ...(schema.anyOf ?? [])]) walk(child);
      if (schema.items !== undefined) walk(schema.items);
    };
    walk(served);
  });

  it('is what the contract calls StockResult', () => expect(served.$id).toBe('StockResult'));
});

/** A field speaks for itself, or the record that it holds does. */
function describes(schema: Schema): boolean {
  return Boolean(schema.description ?? schema.anyOf?.find(({ type }) => type !== 'null')?.description);
}

it('include knows every word of the contract, and no other', () => {
  expect(Object.fromEntries(INCLUDE_FIELDS)).toEqual(contract.include);
});

const specification = new URL('../../../shared/spec/api.md', import.meta.url);

describe.skipIf(!existsSync(specification))(
  'the specification itself (skipped where it is not at hand)',
  () => {
    const transcribed = new Set(Object.values(contract.records).flatMap(({ fields }) => Object.keys(fields)));

    it('names no field that the transcription misses', () => {
      const named = fieldNames(readFileSync(specification, 'utf8'));
      expect(named.length).toBeGreaterThan(200);
      expect(named.filter((name) => !transcribed.has(name))).toEqual([]);
    });

    it('is where every transcribed field comes from', () => {
      const named = new Set(fieldNames(readFileSync(specification, 'utf8')));
      // The periods of daily_atr are keys of an object, written in its note.
      const fields = [...transcribed].filter((name) => !/^\d+$/.test(name));
      expect(fields.filter((name) => !named.has(name))).toEqual([]);
    });
  },
);

/** Field names of the section on StockResult: first cells of its tables and the names listed in its sentences. */
function fieldNames(markdown: string): string[] {
  const section = markdown.slice(
    markdown.indexOf('### StockResult'),
    markdown.indexOf('### Validation error'),
  );
  const names: string[] = [];
  for (const line of section.split('\n')) {
    const cell = /^\| ([a-z][^|]*) \|/.exec(line)?.[1];
    if (cell !== undefined) names.push(...cell.split(', '));
    else if (LISTED.test(line)) names.push(...listed(line));
  }
  return [...new Set(names)];
}

/** Sentences that list fields instead of a table. */
const LISTED =
  /^(`technical`|Component scores|All fields number|`high` \(number|All nullable|All number or null)/;

/** Words in backquotes that are not names of fields: vocabularies, query words and other tables' fields. */
const VOCABULARY = new Set(
  'include buying selling neutral inside breakout_up breakout_down failed_breakout_up failed_breakout_down negative_base negative_ebitda extremely_high'.split(
    ' ',
  ),
);

function listed(line: string): string[] {
  return [...line.matchAll(/`([a-z][a-z0-9_]*)(\/bear)?`/g)].flatMap(([, name, pair]) => {
    if (VOCABULARY.has(name!)) return [];
    return pair === undefined ? [name!] : [name!, name!.replace(/_bull$/, '_bear')];
  });
}
