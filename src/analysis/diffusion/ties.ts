/** Reasons for which two stocks are peers, one bit each; an edge has the sum of its bits. */
export const CORRELATED = 1;
const SAME_SECTOR = 2;
const SAME_INDUSTRY = 4;
const SHARED_THEME = 8;

const REASONS = ['correlation', 'sector', 'industry', 'theme'] as const;
export type Reason = (typeof REASONS)[number];

export const reasonsOf = (bits: number): Reason[] => REASONS.filter((_, bit) => (bits & (1 << bit)) !== 0);

/** What a reported tie adds to a shrunk correlation; an industry implies its sector. This project's figures. */
const SECTOR_BONUS = 0.1;
const INDUSTRY_BONUS = 0.15;
/** Once, however many themes are shared. */
const THEME_BONUS = 0.05;

/** Reported ties of one stock; null where none is. */
export interface ReportedTies {
  readonly sector: string | null;
  readonly industry: string | null;
  readonly themes: readonly string[];
}

/** Reported ties of many stocks as columns, for comparing millions of pairs. */
export type TieColumns = Readonly<ReturnType<typeof tieColumns>>;

export function tieColumns(ties: readonly ReportedTies[]) {
  const themes = numbered(ties.flatMap((own) => own.themes));
  const themeWords = Math.ceil(themes.size / 32);
  const bits = new Uint32Array(ties.length * themeWords);
  for (const [stock, own] of ties.entries()) {
    for (const theme of own.themes) {
      const bit = themes.get(theme)!;
      bits[stock * themeWords + (bit >>> 5)]! |= 1 << (bit & 31);
    }
  }
  return {
    /** Equal numbers name equal words; -1 where nothing was reported. */
    sector: numbers(ties.map((own) => own.sector)),
    industry: numbers(ties.map((own) => own.industry)),
    /** Bits of themes, `themeWords` words a stock. */
    themes: bits,
    themeWords,
  };
}

function numbered(words: readonly (string | null)[]): Map<string, number> {
  const numberOf = new Map<string, number>();
  for (const word of words) if (word !== null && !numberOf.has(word)) numberOf.set(word, numberOf.size);
  return numberOf;
}

function numbers(words: readonly (string | null)[]): Int32Array {
  const numberOf = numbered(words);
  return Int32Array.from(words, (word) => (word === null ? -1 : numberOf.get(word)!));
}

/** The bits of the ties that two stocks share. */
export function reportedBits(
  { sector, industry, themes, themeWords }: TieColumns,
  one: number,
  other: number,
): number {
  let bits = 0;
  if (sector[one]! >= 0 && sector[one] === sector[other]) bits |= SAME_SECTOR;
  if (industry[one]! >= 0 && industry[one] === industry[other]) bits |= SAME_INDUSTRY;
  for (let word = 0; word < themeWords; word++) {
    if ((themes[one * themeWords + word]! & themes[other * themeWords + word]!) !== 0)
      return bits | SHARED_THEME;
  }
  return bits;
}

/** Bonus on the correlation by the bits of a pair. */
export const BONUS: Float64Array = Float64Array.from({ length: 16 }, (_, bits) => {
  const sector = (bits & SAME_SECTOR) === 0 ? 0 : SECTOR_BONUS;
  const industry = (bits & SAME_INDUSTRY) === 0 ? 0 : INDUSTRY_BONUS;
  return sector + industry + ((bits & SHARED_THEME) === 0 ? 0 : THEME_BONUS);
});
