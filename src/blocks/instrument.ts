import type { StockView } from '../market/stock-view.ts';

/** Names of indices begin so; nobody can buy them. */
const INDEX_MARK = '^';
/** Industries by which a profile says that the symbol is a fund. */
const FUND_INDUSTRY = /^(etf|(exchange[- ]traded|index|mutual|closed[- ]end) fund)s?$/i;

/** An index by its name, a fund by the industry of its profile; null for all else, and where nothing says. */
export function instrumentOf({ symbol, facts }: StockView): 'index' | 'fund' | null {
  if (symbol.startsWith(INDEX_MARK)) return 'index';
  return FUND_INDUSTRY.test(facts.profile.at(-1)?.industry?.trim() ?? '') ? 'fund' : null;
}

export const QUALITY_GATES = ['beta', 'fundamental', 'earnings_sentiment'] as const;
export type QualityGate = (typeof QUALITY_GATES)[number];

/** Quality gates that cannot be asked: a fund has no books and no results, an index no beta either. */
export function gatesNotApplicable(view: StockView): readonly QualityGate[] {
  const instrument = instrumentOf(view);
  if (instrument === null) return [];
  return instrument === 'index' ? QUALITY_GATES : ['fundamental', 'earnings_sentiment'];
}
