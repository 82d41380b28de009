import { Value } from 'typebox/value';
import { type Ask, bodyOf, type Refused } from './ask.ts';
import type { Tool } from './tool.ts';

/** What a model needs to mend a call. */
interface Refusal {
  readonly error: string;
  readonly message: string;
  readonly argument?: string;
  readonly got?: unknown;
  readonly did_you_mean?: readonly string[];
  readonly example: Readonly<Record<string, unknown>>;
}

interface Fault {
  readonly loc: readonly string[];
  readonly msg: string;
  readonly type: string;
  readonly input: unknown;
  readonly ctx?: { readonly expected?: string };
}

interface ErrorBody {
  readonly detail?: string | readonly Fault[];
  readonly code?: string;
}

/** A model has written what it is refused for, and needs no long copy of it. */
const GOT_LENGTH_MAX = 100;

const shortened = (value: unknown): unknown =>
  (JSON.stringify(value) ?? '').length > GOT_LENGTH_MAX
    ? `${JSON.stringify(value).slice(0, GOT_LENGTH_MAX)}…`
    : value;

/** The first argument that the schema of a tool refuses; null for none. */
export function wrongArgument(tool: Tool, given: Readonly<Record<string, unknown>>): Refusal | null {
  const unknown = Object.keys(given).find((name) => !(name in tool.input.properties));
  const example = exampleFor(tool, given.symbol);
  if (unknown !== undefined) {
    const known = Object.keys(tool.input.properties).join(', ');
    return { error: 'unknown_argument', message: `${tool.name} takes ${known}`, argument: unknown, example };
  }
  const missing = (tool.input.required ?? []).find((name) => given[name] === undefined);
  if (missing !== undefined) {
    return {
      error: 'missing_argument',
      message: `${tool.name} needs ${missing}`,
      argument: missing,
      example,
    };
  }
  for (const [name, schema] of Object.entries(tool.input.properties)) {
    const value = given[name];
    if (value === undefined || Value.Check(schema as never, value)) continue;
    const [fault] = Value.Errors(schema as never, value) as unknown as {
      message: string;
      instancePath: string;
    }[];
    const place = (fault?.instancePath ?? '').replace(/\/(\d+)/g, '[$1]').replaceAll('/', '.');
    const words = (schema as { enum?: readonly string[] }).enum;
    return {
      error: 'wrong_argument',
      message: words === undefined ? (fault?.message ?? 'wrong') : `must be one of ${words.join(', ')}`,
      argument: `${name}${place}`,
      got: shortened(value),
      example,
    };
  }
  return null;
}

/** What the API refused, in the words of the tool, with symbols that are near an unknown one. */
export async function refusalOf(
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  { body }: Refused,
  ask: Ask,
): Promise<Refusal> {
  const { detail = 'The service gave no reason.', code = 'validation_failed' } = (body ?? {}) as ErrorBody;
  const example = exampleFor(tool, given.symbol);
  if (typeof detail !== 'string') {
    const [fault] = detail;
    const [place = '', ...rest] = fault!.loc.slice(1);
    const near = fault!.ctx?.expected?.match(/^'(.*)'$/)?.[1];
    const argument = tool.renamed?.[place] ?? place;
    // The API takes a list as one text.
    const items = Array.isArray(given[argument]) ? (given[argument] as unknown[]) : [];
    const item = items.findIndex((one) => fault!.msg.includes(`'${one}'`));
    return {
      error: fault!.type,
      message: fault!.msg,
      argument: item === -1 ? [argument, ...rest].join('.') : `${argument}[${item}]`,
      got: item === -1 ? shortened(fault!.input) : items[item],
      ...(near !== undefined && { did_you_mean: [near] }),
      example,
    };
  }
  const refusal = { error: code, message: detail, example };
  if (code !== 'unknown_symbol' || typeof given.symbol !== 'string') return refusal;
  const near = await nearSymbols(given.symbol, ask);
  const mended = exampleFor(tool, near[0]);
  return { ...refusal, argument: 'symbol', got: given.symbol, did_you_mean: near, example: mended };
}

const SYMBOL_LENGTH_MAX = 20;

/** Arguments that work, about the stock that was asked about. */
const exampleFor = ({ example }: Tool, symbol: unknown): Tool['example'] =>
  'symbol' in example && typeof symbol === 'string' && symbol.length <= SYMBOL_LENGTH_MAX
    ? { ...example, symbol }
    : example;

const NEAR_MAX = 3;
/** Of a longer ticker the rest tells nothing. */
const PREFIX_MAX = 5;

/** Symbols that begin as an unknown one does, as far as one does, and else any that are loaded. */
async function nearSymbols(symbol: string, ask: Ask): Promise<string[]> {
  for (let length = Math.min(symbol.length - 1, PREFIX_MAX); length >= 0; length--) {
    const query = { q: symbol.slice(0, length), limit: NEAR_MAX };
    const { symbols } = await bodyOf<{ symbols: readonly { symbol: string }[] }>(
      ask({ path: '/symbols', query }),
    ).catch(() => ({ symbols: [] }));
    if (symbols.length > 0) return symbols.map((one) => one.symbol);
  }
  return [];
}
