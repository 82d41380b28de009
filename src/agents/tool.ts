import type { Static, TObject, TProperties } from 'typebox';
import { Type } from '../base/type.ts';
import { bodyOf, type Request } from './ask.ts';

export type Cell = string | number | boolean | null;

/** What a tool answers beside its name. Every key is left out where it does not apply. */
export interface Table {
  readonly as_of: string | null;
  readonly source: string | null;
  readonly symbol?: string;
  readonly columns?: readonly string[];
  /** Of numbers, by column. */
  readonly units?: Readonly<Record<string, string>>;
  readonly rows?: readonly (readonly Cell[])[];
  /** Ids by which figures are cited, in terms of the columns. */
  readonly facts?: unknown;
  readonly notes?: readonly string[];
  /** Arguments that get what is not here; null where all is here. */
  readonly next?: Readonly<Record<string, unknown>> | null;
  /** Address of the Explorer, behind that of the service. */
  readonly link?: string;
  readonly [extra: string]: unknown;
}

/** Asks the API. @throws Refused */
export type Fetch = <Body>(request: Request) => Promise<Body>;

export interface Tool<Input extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** Arguments that work, shown with a refusal. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Tokens that an answer may take. */
  readonly budget: number | ((input: Static<Input>) => number);
  /** Of a tool that starts work, which equal calls start once, or removes some too; absent of those that only read. */
  readonly starts?: 'work' | 'and removes';
  /** Names of the API that differ from the tool's argument of the same meaning. */
  readonly renamed?: Readonly<Record<string, string>>;
  run(input: Static<Input>, fetch: Fetch): Promise<Table>;
  /** Whether the last rows matter most, so that a budget leaves off the first. */
  endsWithNewest?(input: Static<Input>): boolean;
  /** Arguments that get what a budget left off, where some rows fitted. */
  rest?(input: Static<Input>, kept: number, table: Table): Readonly<Record<string, unknown>>;
}

/** A tool among others, its input checked by its schema before it runs. */
export const tool = <Input extends TObject>(definition: Tool<Input>): Tool => definition as unknown as Tool;

/** Arguments; an unknown one is refused. */
export const input = <Properties extends TProperties>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false });

/** Characters of JSON for a token: bars of a minute, the densest of what is answered, have 2. */
const CHARACTERS_PER_TOKEN = 1.9;

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN);

/** A table without the rows that exceed a budget, and with how to get them. */
export function withinBudget(asked: Tool, given: Readonly<Record<string, unknown>>, whole: Table): Table {
  const budget = typeof asked.budget === 'function' ? asked.budget(given) : asked.budget;
  const shown = (table: Table): Table => ({
    ...table,
    truncated: table.next !== undefined && table.next !== null,
    next: table.next ?? null,
  });
  const { rows = [] } = whole;
  let [fits, exceeds] = [0, rows.length + 1];
  const cut = (kept: number): Table =>
    kept === rows.length
      ? shown(whole)
      : shown({
          ...whole,
          rows: asked.endsWithNewest?.(given) ? rows.slice(rows.length - kept) : rows.slice(0, kept),
          next: asked.rest?.(given, kept, whole) ?? { limit: kept },
        });
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1;
    if (tokensOf(cut(middle)) <= budget) fits = middle;
    else exceeds = middle;
  }
  return cut(fits);
}

/** The tool's way to the API. */
export const fetchBy =
  (ask: (request: Request) => Promise<{ status: number; body: unknown }>): Fetch =>
  (request) =>
    bodyOf(ask(request));

/** Objects as rows of the named columns. */
export const rowsOf = (items: readonly object[], columns: readonly string[]): (readonly Cell[])[] =>
  items.map((item) => columns.map((name) => cellOf((item as Record<string, unknown>)[name])));

/** A single value as it is, a list of words as one text, nothing else. */
function cellOf(value: unknown): Cell {
  if (Array.isArray(value)) return value.join(', ');
  // Of sums in millions nobody reads a fraction.
  if (typeof value === 'number' && Math.abs(value) >= 1e6) return Math.round(value);
  return typeof value === 'object' || value === undefined ? null : (value as Cell);
}

/** What answers of the API begin with. */
export interface Sourced {
  readonly as_of: string;
  readonly source: string;
}

/** Some of an answer, under the same names. */
export const picked = <Of, const Name extends keyof Of>(of: Of, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, of[name]])) as Pick<Of, Name>;

export const stockLink = (symbol: string, date?: string): string =>
  `/stocks/${encodeURIComponent(symbol)}${date === undefined ? '' : `?date=${date}`}`;
