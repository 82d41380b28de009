import * as fc from 'fast-check';
import { SCALAR_FIELDS } from '../../src/derive/scalar-fields.ts';
import { ANSWER_PATHS } from '../../src/derive/selection.ts';
import { sampled } from './depth.ts';
import { anyCharacter } from './for-all.ts';
import { type Document, type Documented, type Operation, type Parameter, partAt } from './openapi.ts';
import { words } from './tables.ts';

/** Requests that a document allows, and requests that nobody means well with. */

/** A request in parts. A name may come several times in the query; a body that is a text is sent as it is. */
export interface Asked {
  readonly path: Readonly<Record<string, string>>;
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

type Schema = Readonly<Record<string, unknown>> & { readonly items?: Schema };

/** A session of the market that is asked. */
export const SESSION = '2024-03-05';

const DATES = [SESSION, '2024-03-02', '2024-01-02'];
const INSTANTS = ['2024-03-05T15:30:00Z', '2024-03-04T09:00:00-05:00'];
const OF_FORMAT: Readonly<Record<string, readonly string[]>> = { date: DATES, 'date-time': INSTANTS };

/** Of what its schema leaves open. */
const OF_NAME: Readonly<Record<string, readonly string[]>> = {
  from: [...DATES, ...INSTANTS],
  to: [...DATES, ...INSTANTS],
  sector: ['Technology', 'Energy'],
  query: ['gap', '"opening range" or -trap'],
  q: ['S', 'si'],
};

/** Paths that `fields` may have, by operation. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  getStock: [...ANSWER_PATHS],
  getHistory: SCALAR_FIELDS.map(({ path }) => path),
};

/** Values of a parameter that its schema allows, as clients write them: lists with commas or as repeated keys. */
function valuesOf({ operation }: Documented, { name, schema, example }: Parameter): string[][] {
  const { type, minimum, maximum, format, enum: allowedWords } = schema as Schema;
  const shown = example === undefined ? [] : [[`${example}`]];
  if (type === 'integer') return [...shown, [`${minimum}`], [`${maximum}`]];
  if (type !== 'array') {
    const named = (allowedWords as string[] | undefined) ?? OF_FORMAT[`${format}`] ?? OF_NAME[name] ?? [];
    return [...shown, ...named.map((value) => [value])];
  }
  const items = itemsOf(operation, name, schema as Schema);
  return [...shown, ...items.map((item) => [item]), items.slice(0, 2), [items.slice(-2).join(), items[0]!]];
}

/** What a list may hold. */
const itemsOf = ({ operationId }: Operation, name: string, { items }: Schema): readonly string[] =>
  (name === 'fields' ? PATHS[operationId] : (items?.enum as string[] | undefined)) ?? ['SIMX'];

/** Values of a property of a body at the bounds of its schema. */
function boundsOf({ items, type, minimum, maximum, format, enum: allowedWords }: Schema): unknown[] {
  if (allowedWords !== undefined) return allowedWords as unknown[];
  if (items !== undefined && type === 'array') return boundsOf(items).map((value) => [value]);
  return [minimum, maximum].filter((bound) => bound !== undefined).concat(OF_FORMAT[`${format}`] ?? []);
}

/** The request of the examples. */
export function exampleOf({ operation: { parameters = [], requestBody } }: Documented): Asked {
  const placed = (place: Parameter['in']): [string, string][] =>
    parameters.flatMap(({ name, in: where, example }) =>
      where === place && example !== undefined ? [[name, `${example}`]] : [],
    );
  const body = requestBody?.content['application/json']?.example;
  return { path: Object.fromEntries(placed('path')), query: placed('query'), headers: {}, body };
}

const withProperties = (asked: Asked, properties: object): Asked => ({
  ...asked,
  body: { ...(asked.body as object), ...properties },
});

/** A page of one item, of an operation that answers page by page. */
export function pageOf(documented: Documented, cursor: string | null): Asked {
  const example = exampleOf(documented);
  if (example.body !== undefined)
    return withProperties(example, { limit: 1, ...(cursor !== null && { cursor }) });
  // The example of a search finds one symbol.
  const first = withParameter(withParameter(example, 'q', []), 'limit', ['1']);
  return cursor === null ? first : withParameter(first, 'cursor', [cursor]);
}

/** A parameter of the query or a property of the body: values that the document allows, others, and a request with one. */
interface Change {
  readonly values: readonly unknown[];
  readonly others: fc.Arbitrary<unknown>;
  readonly with: (asked: Asked, value: unknown) => Asked;
}

function changesOf(document: Document, documented: Documented): Change[] {
  const { method, path, operation } = documented;
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  const properties = partAt(document, '', ...place)?.value.properties ?? {};
  const ofQuery = (operation.parameters ?? [])
    .filter(({ in: where }) => where === 'query')
    .map((parameter) => ({
      values: valuesOf(documented, parameter),
      others: hostileList,
      with: (asked: Asked, values: unknown) => withParameter(asked, parameter.name, values as string[]),
    }));
  const ofBody = Object.entries(properties as Record<string, Schema>).map(([name, schema]) => ({
    values: boundsOf(schema),
    others: hostileValue,
    with: (asked: Asked, value: unknown) => withProperties(asked, { [name]: value }),
  }));
  return [...ofQuery, ...ofBody];
}

const withParameter = (asked: Asked, name: string, values: readonly string[]): Asked => ({
  ...asked,
  query: [
    ...asked.query.filter(([other]) => other !== name),
    ...values.map((value) => [name, value] as const),
  ],
});

/** Of the hundreds of paths that `fields` may have `npm test` looks at some. */
const sampledLong = <Value>(values: readonly Value[]): readonly Value[] =>
  values.length < 50 ? values : sampled(values, 20);

/** The request of the examples, and what each allowed value of each part makes of it alone. */
export const singlesOf = (document: Document, documented: Documented): Asked[] => [
  exampleOf(documented),
  ...changesOf(document, documented).flatMap(({ values, with: withValue }) =>
    sampledLong(values).map((value) => withValue(exampleOf(documented), value)),
  ),
];

/** Requests with one of these times in each place that takes a time. */
export const timedOf = (document: Document, documented: Documented, times: readonly string[]): Asked[] =>
  changesOf(document, documented)
    .filter(({ values }) =>
      values.flat().some((value) => DATES.includes(`${value}`) || INSTANTS.includes(`${value}`)),
    )
    .flatMap(({ values, with: withValue }) =>
      times.map((time) => withValue(exampleOf(documented), Array.isArray(values[0]) ? [time] : time)),
    );

/** Each list of the query with commas between its items, and as repeated keys. */
export const listsOf = (documented: Documented): { readonly joined: Asked; readonly repeated: Asked }[] =>
  (documented.operation.parameters ?? []).flatMap(({ name, schema }) => {
    if ((schema as Schema).type !== 'array') return [];
    const items = itemsOf(documented.operation, name, schema as Schema).slice(-2);
    const of = (values: readonly string[]) => withParameter(exampleOf(documented), name, values);
    return [{ joined: of([items.join()]), repeated: of(items) }];
  });

/** The request of the examples with up to `atMost` parts of values that `draw` draws. */
function changed(
  document: Document,
  documented: Documented,
  draw: (change: Change) => readonly fc.Arbitrary<unknown>[],
  atMost: number,
): fc.Arbitrary<Asked> {
  const changes = changesOf(document, documented).flatMap((change) =>
    draw(change).map((drawn) => drawn.map((value) => (asked: Asked) => change.with(asked, value))),
  );
  return fc
    .shuffledSubarray(changes, { maxLength: Math.min(atMost, changes.length) })
    .chain((chosen) => fc.tuple(...chosen))
    .map((chosen) => chosen.reduce((asked, change) => change(asked), exampleOf(documented)));
}

/** Requests with several values that the document allows. */
export const allowed = (document: Document, documented: Documented): fc.Arbitrary<Asked> =>
  changed(document, documented, ({ values }) => (values.length === 0 ? [] : [fc.constantFrom(...values)]), 3);

/** Of the years around those of which New York's clock is known, and the ends of what four digits can say. */
export const YEARS = ['0001', '1700', '1899', '1900', '2099', '2100', '9999'] as const;

export const timesOf = (year: string): string[] => [
  `${year}-01-01`,
  `${year}-12-31`,
  `${year}-01-01T00:00:00Z`,
  `${year}-12-31T23:59:00-14:00`,
];

const TEXTS = [
  ...words`. .. / ../../etc/passwd <script> __proto__ constructor toString hasOwnProperty ' " "open \ - :* a:*b &|!()<-> $1`,
  ...words`null NaN Infinity -0 -1 0 1.5 1e309 0x10 ٣ 2024-02-30 , ,,, a.b.c.d.e technical. .technical 😀 ſ İ ß %s%n`,
  // What begins with a percent sign goes into an address as it is.
  ...words`% %00 %ff %zz %E0%80 %2F..%2F %25`,
  ...[
    '',
    ' ',
    '- -',
    'or or',
    "'; drop table node; --",
    'line\r\nline',
    '\u0007\u001b[31m',
    '\u202eXMIS',
    '\u200b',
  ],
  ...['\0', 'a\0b', 'SIMX\0', '\ufeffSIMX', '\ud800', '\udc00x', 'e\u0301'.repeat(99), 'ﷺ'.repeat(999)],
  ...['9'.repeat(400), 'x'.repeat(10_000), 'SIMX,'.repeat(500), 'levels,'.repeat(60)],
];

/** Text that some part between the socket and the database may not expect. */
const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TEXTS),
  fc.constantFrom(...YEARS.flatMap(timesOf)),
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.string({ maxLength: 12 }),
);

const hostileList: fc.Arbitrary<string[]> = fc.array(hostileText, { minLength: 1, maxLength: 2 });

const nested = (depth: number): unknown => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? { not: value } : [value];
  return value;
};

const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.jsonValue(),
  fc.double(),
  fc.constantFrom<unknown>(null, true, {}, [], -1, 0, 2 ** 53, 1e308, -1e-320, nested(20), nested(2_000)),
);

const hostileHeaders = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  fc.record(
    {
      accept: fc.constantFrom('text/html', 'application/vnd.apache.arrow.stream', '*/*;q=0', ',', 'x'),
      authorization: fc.constantFrom(
        'Bearer',
        'Bearer x',
        'Basic eDp5',
        'Bearer a.b.c',
        `Bearer ${'x'.repeat(4_000)}`,
      ),
      'last-event-id': fc.constantFrom('', 'x', '0badc0de-delayed:7', ':', '-1', `${'9'.repeat(99)}`),
    },
    { requiredKeys: [] },
  ),
  fc.record({
    'content-type': fc.constantFrom('text/plain', 'application/xml', 'application/json;charset=latin1', 'x'),
  }),
);

const BROKEN = [
  '',
  'null',
  '[]',
  '{',
  '"x"',
  '1',
  '{"__proto__":{"a":1}}',
  '\0',
  '{"a":1}{"a":1}',
  '{"symbol":"\\ud800"}',
];

/** Requests of which any part may be hostile. */
export function hostile(document: Document, documented: Documented): fc.Arbitrary<Asked> {
  const asked = changed(
    document,
    documented,
    ({ values, others }) => [values.length === 0 ? others : fc.oneof(fc.constantFrom(...values), others)],
    4,
  );
  const paths = fc.dictionary(
    fc.constantFrom('none', ...Object.keys(exampleOf(documented).path)),
    hostileText,
  );
  return fc
    .record({
      asked,
      path: fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, paths),
      more: fc.oneof({ weight: 8, arbitrary: fc.constant([]) }, fc.array(fc.tuple(hostileText, hostileText))),
      headers: hostileHeaders,
      place: fc.option(fc.array(fc.nat(9), { maxLength: 5 }), { freq: 1 }),
      value: hostileValue,
      broken: fc.oneof({ weight: 9, arbitrary: fc.constant(null) }, fc.constantFrom(...BROKEN)),
    })
    .map(({ asked, path, more, headers, place, value, broken }) => ({
      path: { ...asked.path, ...path },
      query: [...asked.query, ...(more as [string, string][])],
      headers,
      body: broken === null ? (place === null ? asked.body : replaced(asked.body, place, value)) : broken,
    }));
}

/** A value with one part in place of another; `place` leads to it by the numbers of members. */
function replaced(whole: unknown, [step, ...deeper]: readonly number[], value: unknown): unknown {
  if (step === undefined || typeof whole !== 'object' || whole === null) return value;
  const names = Object.keys(whole);
  if (names.length === 0) return value;
  const name = names[step % names.length]!;
  const part = replaced((whole as Record<string, unknown>)[name], deeper, value);
  return Array.isArray(whole) ? whole.with(Number(name), part) : { ...whole, [name]: part };
}

const WORDS = [
  ...words`RSI VWAP support SIMX it above below near not than of 52.3 $101.25 4% 1,234,567 1e9 ½ ∞ ٣ 2024-03-05 3/5 10:30`,
  ...words`. , ; ( ) — [stock.technical.rsi_14] [[ ] "`,
  ...['the close', 'gamma flip', '-1.5 ATR', 'March 5', '\n', '\u202e', '\0', '\ud800'],
];

/** Drafts of 10,000 characters: of the words of a trader, and of any. */
export const longDraft: fc.Arbitrary<string> = fc
  .array(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...WORDS) }, hostileText), {
    minLength: 2,
    maxLength: 99,
  })
  .map((words) => `${words.join(' ')} `.repeat(5_000).slice(0, 10_000));
