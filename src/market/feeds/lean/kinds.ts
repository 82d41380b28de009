/** What a file of a Lean data folder is, told from its path alone. */
export type LeanKind =
  | { readonly kind: 'bars'; readonly interval: '1d' | '1h'; readonly ticker: string }
  | {
      readonly kind: 'minute-bars' | 'minute-quotes' | 'trade-ticks' | 'quote-ticks';
      readonly ticker: string;
      readonly date: string;
    }
  | { readonly kind: 'map-file' | 'factor-file'; readonly symbol: string }
  | { readonly kind: 'not-read'; readonly what: string }
  | { readonly kind: 'unknown' };

const LONG_BARS = /^equity\/usa\/(daily|hour)\/([^/]+)\.zip$/;
const SESSION_FILE = /^equity\/usa\/(minute|second|tick)\/([^/]+)\/(\d{4})(\d{2})(\d{2})_(trade|quote)\.zip$/;
const REFERENCE_FILE = /^equity\/usa\/(map|factor)_files\/([^/]+)\.csv$/;

/** Folders of the layout that later features read; each with the words in which an importing user is told. */
const LATER: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)readme(\.md|\.txt)?$/i, 'a readme'],
  [/^equity\/usa\/(map|factor)_files\/.*\.zip$/, 'a packed map or factor file'],
  [/^equity\/usa\/fundamental\//, 'fundamental data'],
  [/^equity\/usa\/universes\//, 'a universe'],
  [/^equity\/usa\/shortable\//, 'shortable shares'],
  [/^equity\/(?!usa\/)[^/]+\//, 'equity of another market'],
  [/^(option|indexoption|futureoption)\//, 'options'],
  [/^index\//, 'index bars'],
  [/^(alternative|market-hours|symbol-properties)\//, 'reference data'],
  [/^(future|forex|crypto|cryptofuture|cfd|commodity)\//, 'another asset class'],
];

/** @param path relative to the root of the data folder, with forward slashes */
export function leanKind(path: string): LeanKind {
  const long = LONG_BARS.exec(path);
  if (long !== null) return { kind: 'bars', interval: long[1] === 'daily' ? '1d' : '1h', ticker: long[2]! };
  const session = SESSION_FILE.exec(path);
  if (session !== null) return sessionKind(session);
  const reference = REFERENCE_FILE.exec(path);
  if (reference !== null) {
    return { kind: reference[1] === 'map' ? 'map-file' : 'factor-file', symbol: reference[2]!.toUpperCase() };
  }
  const later = LATER.find(([pattern]) => pattern.test(path));
  return later === undefined ? { kind: 'unknown' } : { kind: 'not-read', what: later[1] };
}

function sessionKind([, resolution, ticker, year, month, day, side]: RegExpExecArray): LeanKind {
  const date = `${year}-${month}-${day}`;
  if (resolution === 'second') return { kind: 'not-read', what: `second ${side}s` };
  const of = { ticker: ticker!, date };
  if (resolution === 'tick') return { kind: side === 'trade' ? 'trade-ticks' : 'quote-ticks', ...of };
  return { kind: side === 'trade' ? 'minute-bars' : 'minute-quotes', ...of };
}
