import { FIELD_MAP, type PlainStock, type PlainValue } from './made-up-table.ts';

/**
 * The screener as one would write it down: requests as they come over the wire, stocks as objects, one at a time. It
 * shares nothing with the program but the meaning of the language.
 */

export type WireNode =
  | { readonly all: readonly WireNode[] }
  | { readonly any: readonly WireNode[] }
  | { readonly not: WireNode }
  | { readonly field: string; readonly op: string; readonly value?: unknown; readonly other?: string };

export interface WireScreen {
  readonly filter?: WireNode;
  readonly computed: Readonly<Record<string, string>>;
  readonly sort: readonly { readonly field: string; readonly order?: 'asc' | 'desc' }[];
  readonly near_misses: number;
}

export interface PlainScreened {
  readonly symbols: readonly string[];
  readonly nearMisses: readonly {
    readonly symbol: string;
    readonly failed: string;
    readonly distance: number | null;
  }[];
}

/** True, false or unknown. */
type Truth = boolean | null;

/** `computed` gives the value of an expression for a stock: expressions are parsed by nobody here. */
export function plainScreen(
  { filter, sort, near_misses }: WireScreen,
  stocks: readonly PlainStock[],
  computed: (name: string, stock: PlainStock) => number | null,
): PlainScreened {
  const look: Look = (stock, name) => {
    if (name.startsWith('computed.')) return computed(name.slice('computed.'.length), stock);
    const value = stock.values.get(name) ?? null;
    return value === null ? null : readAs(name, value);
  };
  const roots = filter === undefined ? [] : mustAllHold(filter, 'filter');
  const missed = (stock: PlainStock) => roots.filter(([node]) => truth(node, stock, look) !== true);
  const passing = stocks.filter((stock) => missed(stock).length === 0);
  const nearMisses = stocks
    .filter((stock) => missed(stock).length === 1)
    .map((stock) => {
      const [node, failed] = missed(stock)[0]!;
      const distance = gapOf(node, stock, look);
      const gaps = stocks.map((each) => comparedOf(node, each, look)).filter((value) => value !== null);
      // Of values that are all the same every distance but 0 is infinitely far.
      const rank = distance === null || distance === 0 ? distance : distance / deviation(gaps);
      return { symbol: stock.symbol, failed, distance, rank };
    })
    .sort((one, other) => inOrder(one.rank, other.rank, false) || (one.symbol < other.symbol ? -1 : 1))
    .slice(0, near_misses)
    .map(({ symbol, failed, distance }) => ({ symbol, failed, distance }));
  passing.sort((one, other) => {
    for (const { field, order } of sort) {
      const found = inOrder(look(one, field), look(other, field), order === 'desc');
      if (found !== 0) return found;
    }
    return one.symbol < other.symbol ? -1 : 1;
  });
  return { symbols: passing.map(({ symbol }) => symbol), nearMisses };
}

type Look = (stock: PlainStock, name: string) => PlainValue;

function inOrder(one: PlainValue, other: PlainValue, descending: boolean): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (one === other) return 0;
  return one < other === descending ? 1 : -1;
}

function mustAllHold(node: WireNode, place: string): [WireNode, string][] {
  if (!('all' in node)) return [[node, place]];
  return node.all.flatMap((each, at) => mustAllHold(each, `${place}.all.${at}`));
}

function truth(node: WireNode, stock: PlainStock, look: Look): Truth {
  if ('all' in node) {
    const parts = node.all.map((each) => truth(each, stock, look));
    return parts.includes(false) ? false : parts.includes(null) ? null : true;
  }
  if ('any' in node) {
    const parts = node.any.map((each) => truth(each, stock, look));
    return parts.includes(true) ? true : parts.includes(null) ? null : false;
  }
  if ('not' in node) {
    const inner = truth(node.not, stock, look);
    return inner === null ? null : !inner;
  }
  const left = look(stock, node.field);
  if (node.op === 'is_null') return left === null;
  if (node.op === 'not_null') return left !== null;
  if (left === null) return null;
  if (node.other !== undefined) {
    const right = look(stock, node.other);
    return right === null ? null : compared(left, node.op, right);
  }
  const value = node.value as PlainValue | PlainValue[];
  const read = (each: PlainValue) => readAs(node.field, each);
  if (!Array.isArray(value)) return compared(left, node.op, read(value));
  const [low, high] = value.map(read);
  if (node.op === 'between') return left >= low! && left <= high!;
  return value.map(read).includes(left) === (node.op === 'in');
}

function compared(left: PlainValue, op: string, right: PlainValue): boolean {
  if (op === '=') return left === right;
  if (op === '!=') return left !== right;
  if (op === '<') return left! < right!;
  if (op === '<=') return left! <= right!;
  return op === '>' ? left! > right! : left! >= right!;
}

/** Dates as days and instants as milliseconds, of stocks and of requests alike. */
function readAs(name: string, value: PlainValue): PlainValue {
  const type = FIELD_MAP.get(name)?.type;
  if (type === 'date') return Date.parse(String(value)) / 86_400_000;
  return type === 'instant' ? Date.parse(String(value)) : value;
}

const HAS_GAP = new Set(['<', '<=', '=', '!=', '>=', '>', 'between']);

/** What a condition on numbers looks at; null for a condition, or a stock, without such. */
function comparedOf(node: WireNode, stock: PlainStock, look: Look): number | null {
  if (!('field' in node) || !HAS_GAP.has(node.op)) return null;
  const left = look(stock, node.field);
  const right = node.other === undefined ? 0 : look(stock, node.other);
  return typeof left === 'number' && typeof right === 'number' ? left - right : null;
}

function gapOf(node: WireNode, stock: PlainStock, look: Look): number | null {
  const value = comparedOf(node, stock, look);
  if (value === null || !('field' in node)) return null;
  if (node.other !== undefined) return Math.abs(value);
  const bounds = [node.value].flat().map((each) => Number(readAs(node.field, each as PlainValue)));
  return Math.min(...bounds.map((bound) => Math.abs(value - bound)));
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}
