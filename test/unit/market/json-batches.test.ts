import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { TextFile } from '../../../src/files/archive.ts';
import { asTable } from '../../../src/files/bars/bars-json.ts';
import { isRefused } from '../../../src/files/findings.ts';
import { parsedJson } from '../../../src/files/json.ts';
import { type Batch, type Listing, listingOf, valuesOf } from '../../../src/files/json-batches.ts';

const fileOf = (text: string | Uint8Array, chunkBytes = 50_000): TextFile => {
  const bytes = Buffer.from(text as string);
  return {
    where: 'bars.json',
    name: 'bars.json',
    async *chunks() {
      for (let from = 0; from < bytes.length; from += chunkBytes)
        yield bytes.subarray(from, from + chunkBytes);
    },
  };
};

const batchesOf = (text: string, listing: Listing, chunkBytes?: number, from?: number): Promise<Batch[]> =>
  Array.fromAsync(valuesOf(fileOf(text, chunkBytes), listing, from));

/** A table's text, or the words of its refusal. */
async function tableOf(text: string | Uint8Array, chunkBytes?: number): Promise<string> {
  const table = await asTable(fileOf(text, chunkBytes));
  if (isRefused(table)) return `${table.reason}: ${table.example}`;
  return Buffer.concat(await Array.fromAsync(table.chunks())).toString();
}

const BROKEN = 'unknown_format: JSON that breaks off or is damaged: download it again';

/** Texts with the marks that end an item, and letters of several bytes. */
const marks = fc.string({ unit: fc.constantFrom(...'[]{},:"\\\n €😀a0'), maxLength: 12 });
const bar = fc.record(
  {
    date: fc.integer({ min: 0, max: 9_000 }).map((day) => new Date(day * 86_400_000).toISOString()),
    open: fc.double({ min: 1, max: 1e4, noNaN: true }),
    high: fc.integer(),
    low: fc.constant(null),
    close: marks,
    note: marks,
    meta: fc.record({ symbol: marks }),
  },
  { requiredKeys: ['date', 'open', 'high', 'low', 'close'] },
);
/** Enough items for several batches. */
const many = <T>(item: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc
    .tuple(fc.array(item, { minLength: 5, maxLength: 9 }), fc.nat(300))
    .map(([items, more]) => Array.from({ length: 1_500 + more }, (_, at) => items[at % items.length]!));
const anything = fc.oneof(bar, fc.json().map(parsedJson), marks);
const indents = fc.constantFrom('', ' ', '\t', '    ');
const chunks = fc.integer({ min: 700, max: 200_000 });
const RUNS = { numRuns: 25 };

it('reads the values of a list of any layout as the parser of the whole reads them, and goes on from each batch', async () => {
  await fc.assert(
    fc.asyncProperty(many(anything), indents, chunks, fc.nat(), async (values, indent, chunkBytes, drawn) => {
      const text = JSON.stringify(values, null, indent);
      const batches = await batchesOf(text, 'items', chunkBytes);
      expect(batches.flatMap((batch) => batch.values)).toEqual(JSON.parse(text));
      const later = drawn % batches.length;
      expect(await batchesOf(text, 'items', chunkBytes, batches[later]!.at)).toEqual(batches.slice(later));
    }),
    RUNS,
  );
});

it('reads a value a line, and goes on from each batch', async () => {
  await fc.assert(
    fc.asyncProperty(many(anything), chunks, fc.nat(), async (values, chunkBytes, drawn) => {
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('\r\n');
      const batches = await batchesOf(text, 'lines', chunkBytes);
      expect(batches.flatMap((batch) => batch.values)).toEqual(JSON.parse(JSON.stringify(values)));
      const later = drawn % batches.length;
      expect(await batchesOf(text, 'lines', chunkBytes, batches[later]!.at)).toEqual(batches.slice(later));
    }),
    RUNS,
  );
});

it('holds no more of a list than a batch at a time', async () => {
  const items = Array.from({ length: 20_000 }, (_, at) => ({ at, open: at / 7 }));
  const batches = await batchesOf(JSON.stringify(items), 'items');
  expect(batches.length).toBeGreaterThan(6);
  for (const { values } of batches.slice(0, -1))
    expect(JSON.stringify(values).length).toBeLessThan(2 ** 16 + 100);
});

it.each([
  ['a list', '[{"a":1}]', 'items'],
  ['a list on many lines', '[\n{"a":1}\n]\n', 'items'],
  ['objects, one a line', '{"a":1}\n{"a":2}\n', 'lines'],
  ['lists, one a line', '[1]\n[2]', 'lines'],
  ['an object', '{"a":1}\n', null],
  ['an object on many lines', '{\n"a":1\n}\n', null],
  ['a line that goes on', '{"a":', null],
])('tells how %s is read', (_what, beginning, listing) => {
  expect(listingOf(beginning)).toBe(listing);
});

it('makes the same table of a list, of lines and of a list within an object', async () => {
  // A line of a table may begin with anything but a brace or a bracket.
  const rows = fc
    .tuple(bar, fc.oneof(many(bar), many(fc.oneof({ weight: 9, arbitrary: bar }, anything))))
    .map(([first, others]) => [first, ...others]);
  await fc.assert(
    fc.asyncProperty(rows, indents, chunks, async (values, indent, chunkBytes) => {
      const whole = await tableOf(JSON.stringify({ bars: values }));
      expect(await tableOf(JSON.stringify(values, null, indent), chunkBytes)).toBe(whole);
      const lines = values.map((value) => JSON.stringify(value)).join('\n');
      expect(await tableOf(lines, Math.max(chunkBytes, 10_000))).toBe(whole);
    }),
    RUNS,
  );
});

const BARS = Array.from({ length: 3_000 }, (_, at) => ({
  date: new Date(Date.UTC(2010, 0, 4) + at * 86_400_000).toISOString().slice(0, 10),
  ...{ open: 10, high: 12, low: 9, close: 11, volume: 1_000 + at },
}));

it('refuses a list or lines that are cut short at any byte, in the words of any damage', async () => {
  const list = JSON.stringify(BARS);
  const lines = BARS.map((row) => `${JSON.stringify(row)}\n`).join('');
  const cut = (text: string) => fc.integer({ min: 2, max: text.length - 2 });
  await fc.assert(
    fc.asyncProperty(cut(list), cut(lines), async (ofList, ofLines) => {
      expect(await tableOf(list.slice(0, ofList))).toBe(BROKEN);
      const left = lines.slice(0, ofLines);
      if (parsedJson(left.split('\n').at(-1)!) === undefined && !left.endsWith('\n'))
        expect(await tableOf(left)).toBe(BROKEN);
    }),
    RUNS,
  );
});

it.each([
  ['a comma too much at the end', (text: string) => text.replace(/]$/, ',]')],
  ['a comma too much between batches', (text: string) => text.replaceAll('},', '},,')],
  ['a comma before the first', (text: string) => text.replace('[', '[,')],
  ['a brace at the end', (text: string) => text.replace(/]$/, '}')],
  ['a second list', (text: string) => text + text],
  ['a word behind', (text: string) => `${text} null`],
  ['no end', (text: string) => text.slice(0, -1)],
  ['two lists in one', (text: string) => text.replaceAll('},', '}],[')],
  ['a broken text', (text: string) => text.replace('2010-01-08"', '2010-01-08')],
])('refuses a list with %s', async (_what, damage) => {
  expect(await tableOf(damage(JSON.stringify(BARS)))).toBe(BROKEN);
});

it('refuses UTF-16, and takes a mark before the first byte', async () => {
  const text = JSON.stringify(BARS);
  expect(await tableOf(Buffer.from(text, 'utf16le'))).toBe(BROKEN);
  expect(await tableOf(`\uFEFF${text}`)).toBe(await tableOf(text));
});

it('refuses values that lie within one another too deep, as those of any file', async () => {
  const depth = 200_000;
  await expect(tableOf('['.repeat(depth) + ']'.repeat(depth))).rejects.toThrow(/call stack/);
});

it('takes numbers beyond doubles and values that JSON has no word for as a whole file does', async () => {
  const text = JSON.stringify(BARS)
    .replaceAll('"open":10', '"open":1e999')
    .replaceAll('"low":9', '"low":NaN');
  const table = await tableOf(text);
  expect(table).toBe(await tableOf(`{"bars":${text}}`));
  expect(table).toContain('2010-01-04,Infinity,12,,11,1000');
});

it('says of a list without bars that it has none', async () => {
  for (const text of ['[]', '[{"a":1}]', `[${'{"a":1},'.repeat(20_000)}{"a":1}]`])
    expect(await tableOf(text)).toBe('unknown_format: JSON without bars');
});

it('gives whole rows of any place of a table, up to its end', async () => {
  const table = await asTable(fileOf(JSON.stringify(BARS)));
  if (isRefused(table)) throw new Error(table.example);
  const lines = (await tableOf(JSON.stringify(BARS))).trimEnd().split('\n');
  for (const place of [0, 0.29, 0.61, 1]) {
    const [head, ...rows] = (await table.piece!(place, 6_000)).toString().trimEnd().split('\n');
    const first = lines.indexOf(rows[0]!);
    expect(head).toBe(lines[0]);
    expect(rows).toEqual(lines.slice(first, first + rows.length));
    expect(rows.length).toBeGreaterThanOrEqual(100);
    expect(first).toBeLessThanOrEqual(1 + place * 2_900);
    if (place === 1) expect(rows.at(-1)).toBe(lines.at(-1));
  }
});
