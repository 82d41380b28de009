/** What a file of a Lean data folder is, told from its path alone. */
export type LeanKind =
  | { readonly kind: 'bars'; readonly interval: '1d' | '1h'; readonly ticker: string }
  | {
      readonly kind: 'minute-bars' | 'minute-quotes' | 'trade-ticks' | 'quote-ticks';
      readonly ticker: string;
      readonly date: string;
    }
  | {
      readonly kind: 'option-minutes' | 'option-universe';
      /** The class of the options: the underlying's ticker or, of an index, one of its classes. */
      readonly ticker: string;
      readonly date: string;
      readonly ofIndex: boolean;
    }
  | { readonly kind: 'map-file' | 'factor-file'; readonly symbol: string }
  | { readonly kind: 'not-read'; readonly what: string }
  | { readonly kind: 'unknown' };

const LONG_BARS = /^equity\/usa\/(daily|hour)\/([^/]+)\.zip$/;
const SESSION_FILE = /^equity\/usa\/(minute|second|tick)\/([^/]+)\/(\d{4})(\d{2})(\d{2})_(trade|quote)\.zip$/;
const OPTION_MINUTES =
  /^(index)?option\/usa\/minute\/([^/]+)\/(\d{4})(\d{2})(\d{2})_(quote|trade|openinterest)_(american|european)(\.zip)+$/;
const OPTION_UNIVERSE = /^(index)?option\/usa\/universes\/([^/]+)\/(\d{4})(\d{2})(\d{2})\.csv$/;
const REFERENCE_FILE = /^equity\/usa\/(map|factor)_files\/([^/]+)\.csv$/;

/** Folders of the layout that later features read; each with the words in which an importing user is told. */
const LATER: readonly (readonly [RegExp, string])[] = [
  [/(^|\/)readme(\.md|\.txt)?$/i, 'a readme'],
  [/^equity\/usa\/(map|factor)_files\/.*\.zip$/, 'a packed map or factor file'],
  [/^equity\/usa\/fundamental\//, 'fundamental data'],
  [/^equity\/usa\/universes\//, 'a universe'],
  [/^equity\/usa\/shortable\//, 'shortable shares'],
  [/^equity\/(?!usa\/)[^/]+\//, 'equity of another market'],
  [/^(index)?option\/usa\/(daily|hour)\//, 'option bars of an hour or a day'],
  [/^(option|indexoption|futureoption)\//, 'options of another kind or market'],
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
  const minutes = OPTION_MINUTES.exec(path);
  if (minutes !== null) return optionKind('option-minutes', minutes);
  const universe = OPTION_UNIVERSE.exec(path);
  if (universe !== null) return optionKind('option-universe', universe);
  const reference = REFERENCE_FILE.exec(path);
  if (reference !== null) {
    return { kind: reference[1] === 'map' ? 'map-file' : 'factor-file', symbol: reference[2]!.toUpperCase() };
  }
  const later = LATER.find(([pattern]) => pattern.test(path));
  return later === undefined ? { kind: 'unknown' } : { kind: 'not-read', what: later[1] };
}

function optionKind(
  kind: 'option-minutes' | 'option-universe',
  [, index, ticker, year, month, day]: RegExpExecArray,
): LeanKind {
  return { kind, ticker: ticker!, date: `${year}-${month}-${day}`, ofIndex: index !== undefined };
}

function sessionKind([, resolution, ticker, year, month, day, side]: RegExpExecArray): LeanKind {
  const date = `${year}-${month}-${day}`;
  if (resolution === 'second') return { kind: 'not-read', what: `second ${side}s` };
  const of = { ticker: ticker!, date };
  if (resolution === 'tick') return { kind: side === 'trade' ? 'trade-ticks' : 'quote-ticks', ...of };
  return { kind: side === 'trade' ? 'minute-bars' : 'minute-quotes', ...of };
}
