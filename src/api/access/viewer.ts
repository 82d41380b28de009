import { hash } from 'node:crypto';
import { wholeMinute } from '../../base/as-of.ts';
import { parseInstant } from '../../base/dates.ts';
import { CodedError, ValidationRefusal } from '../../base/errors.ts';
import type { AccessScope } from './scopes.ts';

/** Market data of one age, by its label. */
export interface DataFeed {
  readonly source: 'realtime_sip' | 'delayed' | 'byok';
  readonly delayMs: number;
  /** A past minute, epoch milliseconds: nothing newer is seen. Absent for the present less the delay. */
  readonly asOf?: number | undefined;
}

/** The newest instant that a viewer may see, epoch milliseconds. */
export const visibleInstant = ({ delayMs, asOf }: Pick<DataFeed, 'delayMs' | 'asOf'>, now: number): number =>
  asOf ?? now - delayMs;

export interface Viewer extends DataFeed {
  /** Symbols of the grant, in capitals; null for all. */
  readonly symbols: ReadonlySet<string> | null;
}

/** Who pays for a call in budgets and audit trail: the holder of a token, or a client that asks for one. */
export interface Holder {
  readonly clientId: string;
  readonly grantId: string | null;
  readonly agentId: string;
  /** Limits of the grant; null for none. */
  readonly callsPerMinute: number | null;
  readonly callsPerDay: number | null;
}

export interface Caller extends Viewer {
  /** Null for a caller without a token. */
  readonly holder: Holder | null;
  readonly scopes: ReadonlySet<AccessScope>;
}

/** The client that owns what a caller keeps; null for all callers without a token. */
export const ownerOf = ({ holder }: Pick<Caller, 'holder'>): string | null => holder?.clientId ?? null;

/** A caller without a token: the delayed feed, every symbol, no budget. */
export const anonymousCaller = (delayMs: number): Caller => ({
  source: 'delayed',
  delayMs,
  holder: null,
  scopes: new Set(),
  symbols: null,
});

/** Whether a viewer may see the name of a stock, or a figure of that stock alone. */
export const mayName = ({ symbols }: Pick<Viewer, 'symbols'>, symbol: string): boolean =>
  symbols === null || symbols.has(symbol);

/**
 * Checks symbols that are not in the address.
 *
 * @param symbols in capitals
 * @throws CodedError symbol_not_granted
 */
export function requireSymbols(caller: Pick<Viewer, 'symbols'>, symbols: Iterable<string>): void {
  for (const symbol of symbols) {
    if (!mayName(caller, symbol)) {
      throw new CodedError('symbol_not_granted', `The grant does not cover ${symbol}`);
    }
  }
}

/** A wire value without list items whose `symbol` the viewer may not see. Figures over many stocks stay. */
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

/** The symbols that sums of a caller are of, in their order; null for all. */
export const grantedSymbols = ({ symbols }: Pick<Viewer, 'symbols'>): readonly string[] | null =>
  symbols === null ? null : [...symbols].sort();

/** Hashes of symbol sets; a set lives as long as its verified token, so each is hashed once. */
const hashes = new WeakMap<ReadonlySet<string>, string>();

/** The part of a cache key that separates feeds. */
export const feedKey = ({ source, asOf }: DataFeed): string =>
  asOf === undefined ? source : `${source}@${asOf}`;

/** The part of a cache key that separates viewers who get different answers: feed and symbols. */
export function viewKey(viewer: Viewer): string {
  const { symbols } = viewer;
  const feed = feedKey(viewer);
  if (symbols === null) return feed;
  let key = hashes.get(symbols);
  if (key === undefined) {
    key = hash('sha1', [...symbols].sort().join(), 'base64url');
    hashes.set(symbols, key);
  }
  return `${feed}/${key}`;
}

/**
 * The viewer of a past minute, or of the present.
 *
 * @param asOf a validated RFC 3339 instant, read to the minute
 * @throws ValidationRefusal as_of_not_reached
 */
export function viewerAt<Kind extends Viewer>(viewer: Kind, asOf: string | undefined, now: number): Kind {
  if (asOf === undefined) return viewer;
  const newest = wholeMinute(visibleInstant(viewer, now));
  const instant = wholeMinute(parseInstant(asOf)!);
  if (instant <= newest) return { ...viewer, asOf: instant };
  const reached = new Date(newest).toISOString();
  throw new ValidationRefusal([
    {
      loc: ['query', 'as_of'],
      msg: `Input should be at most ${reached}, the newest instant of this caller`,
      type: 'as_of_not_reached',
      input: asOf,
      ctx: { newest: reached },
    },
  ]);
}
