/** A symbol with a bar, and what it was called at each time. */
export interface ListedSymbol {
  readonly symbol: string;
  /** The first trade date with a bar, days since 1970-01-01. */
  readonly firstDay: number;
  /** Ascending `knownAt`. */
  readonly names: readonly KnownName[];
  /** Tickers under which it has traded, and from when on that may be quoted; ascending `knownAt`. */
  readonly tickers: readonly { readonly knownAt: number; readonly ticker: string }[];
}

/** What a profile says; null where it says nothing. */
export interface ReportedName {
  /** Epoch milliseconds. */
  readonly knownAt: number;
  readonly name: string | null;
  readonly sector: string | null;
}

/** What was known of a company from an instant on. */
export interface KnownName extends ReportedName {
  /** Words of the name for comparison. */
  readonly words: readonly string[];
}

/** Accents of letters whose base letter stands before them (NFKD). */
const ACCENTS = /\p{M}/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/u;

/** The words of a text without case and accents. */
export const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(ACCENTS, '')
    .toLowerCase()
    .split(BETWEEN_WORDS)
    .filter((word) => word !== '');

/** Profiles, each with what earlier ones said where it says nothing. */
export function namesOf(profiles: readonly ReportedName[]): KnownName[] {
  let name: string | null = null;
  let sector: string | null = null;
  return profiles.map((profile) => {
    name = profile.name ?? name;
    sector = profile.sector ?? sector;
    return { knownAt: profile.knownAt, name, sector, words: name === null ? [] : wordsOf(name) };
  });
}

const UNNAMED: KnownName = { knownAt: 0, name: null, sector: null, words: [] };

/** What a symbol was called at an instant. */
export function nameAt({ names }: ListedSymbol, instant: number): KnownName {
  for (let at = names.length - 1; at >= 0; at--) if (names[at]!.knownAt <= instant) return names[at]!;
  return UNNAMED;
}
