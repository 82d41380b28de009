import { canonicalSymbol, dottedSymbol } from '../../base/symbols.ts';
import { type KnownName, type ListedSymbol, nameAt, wordsOf } from '../context/symbol-index.ts';

export interface Match {
  readonly listed: ListedSymbol;
  readonly known: KnownName;
  /** The better the lower. */
  readonly rank: number;
}

export interface Search {
  /** Absent: every symbol. */
  readonly q?: string | undefined;
  /** Epoch milliseconds. */
  readonly asOf: number;
  readonly sector?: string | undefined;
}

const RANKS = { ticker: 0, prefix: 1, formerTicker: 2, nameStart: 3, name: 4 } as const;

/** The symbols that match, the best rank first, then by ticker. */
export function matchSymbols(symbols: Iterable<ListedSymbol>, { q = '', asOf, sector }: Search): Match[] {
  const rank = rankOf(q.trim(), asOf);
  const wanted = sector?.toLowerCase();
  const byRank: Match[][] = Array.from({ length: RANKS.name + 1 }, () => []);
  for (const listed of symbols) {
    const known = nameAt(listed, asOf);
    if (wanted !== undefined && known.sector?.toLowerCase() !== wanted) continue;
    const of = rank(listed, known);
    if (of !== null) byRank[of]!.push({ listed, known, rank: of });
  }
  return byRank.flat();
}

/** How well a symbol matches; null for not at all. */
function rankOf(q: string, asOf: number): (listed: ListedSymbol, known: KnownName) => number | null {
  if (q === '') return () => RANKS.ticker;
  const exact = canonicalSymbol(q);
  const ticker = dottedSymbol(q);
  const words = wordsOf(q);
  return ({ symbol, tickers }, { words: nameWords }) => {
    if (symbol === exact) return RANKS.ticker;
    // An index is found with its caret and without.
    if (symbol.startsWith(ticker) || (symbol.startsWith(ticker, 1) && symbol.startsWith('^')))
      return RANKS.prefix;
    if (tickers.some((former) => former.ticker === exact && former.knownAt <= asOf))
      return RANKS.formerTicker;
    if (words.length === 0 || !words.every((word) => startsOne(nameWords, word))) return null;
    return nameWords[0]!.startsWith(words[0]!) ? RANKS.nameStart : RANKS.name;
  };
}

const startsOne = (words: readonly string[], start: string): boolean =>
  words.some((word) => word.startsWith(start));
