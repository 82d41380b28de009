import { hash } from 'node:crypto';

/** Market data of one age, by its label. */
export interface DataFeed {
  readonly source: 'realtime_sip' | 'delayed' | 'byok';
  readonly delayMs: number;
}

/** Who asks, as far as operations care: the feed, and the stocks that may be named. */
export interface Viewer extends DataFeed {
  /** Symbols, in capitals, that the viewer's grant is narrowed to; null for all. */
  readonly symbols: ReadonlySet<string> | null;
}

/** Whether a viewer may be given the name of a stock, or a figure of that stock alone. */
export const mayName = ({ symbols }: Pick<Viewer, 'symbols'>, symbol: string): boolean =>
  symbols === null || symbols.has(symbol);

/**
 * A value of the wire without the records of stocks that the viewer may not be given: of every list the items whose
 * `symbol` is of another stock are left out. Figures over many stocks stay.
 */
export function withoutForeign<Value>(value: Value, viewer: Viewer): Value {
  return viewer.symbols === null ? value : (narrowed(value, viewer) as Value);
}

function narrowed(value: unknown, viewer: Viewer): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isForeign(item, viewer)).map((item) => narrowed(item, viewer));
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, narrowed(part, viewer)]));
}

function isForeign(item: unknown, viewer: Viewer): boolean {
  const symbol = (item as { symbol?: unknown } | null)?.symbol;
  return typeof symbol === 'string' && !mayName(viewer, symbol);
}

/** Sets of grants are kept with their tokens, so each is hashed once. */
const keys = new WeakMap<ReadonlySet<string>, string>();

/** What tells viewers apart who are answered differently: the feed and the symbols. Part of the key of kept answers. */
export function viewKey({ source, symbols }: Viewer): string {
  if (symbols === null) return source;
  let key = keys.get(symbols);
  if (key === undefined) {
    key = hash('sha1', [...symbols].sort().join(), 'base64url');
    keys.set(symbols, key);
  }
  return `${source}/${key}`;
}
