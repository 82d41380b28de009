import type { Piece, Topic } from '../../texts/piece.ts';

/** The pages of a chart application that an agent may be asked from. */
export const PAGE_TYPES = ['stock_detail', 'options', 'screener', 'market', 'backtest'] as const;
export type PageType = (typeof PAGE_TYPES)[number];

export const STOCK_PAGES: readonly PageType[] = ['stock_detail', 'options'];

const topics = (list: string): Topic[] => list.trim().split(/\s+/) as Topic[];

/** What matters on each page, the most important first; the age of old data and what the query of the caller finds come before. */
const RANKS: Readonly<Record<PageType, readonly Topic[]>> = {
  stock_detail: topics(`
    price scores levels trend earnings options reasons debate news market regime outcomes playbooks patterns
    sector flow peers analogs expirations fundamentals company themes debate_more sectors runs`),
  options: topics(`
    options expirations price reasons earnings levels scores debate trend market regime outcomes playbooks
    flow news patterns sector peers analogs company fundamentals themes debate_more sectors runs`),
  screener: topics(`
    market regime sectors price reasons scores sector peers debate trend playbooks levels outcomes flow
    fundamentals earnings options patterns expirations news analogs company themes debate_more runs`),
  market: topics(`
    market regime sectors price reasons debate sector scores peers trend levels outcomes playbooks earnings
    options expirations flow patterns news fundamentals analogs company themes debate_more runs`),
  backtest: topics(`
    runs price reasons playbooks levels trend market regime outcomes scores debate flow patterns sectors
    earnings sector peers options expirations news fundamentals analogs company themes debate_more`),
};

/**
 * Pieces by what matters on a page, those that rank alike together, in the order given.
 *
 * @param found ids of facts that the query of the caller finds, best first: pieces that show or quote one rank by it
 */
export function ranked(page: PageType, pieces: readonly Piece[], found: readonly string[] = []): Piece[][] {
  const ranks = new Map<Topic, number>(['found' as const, ...RANKS[page]].map((topic, at) => [topic, at]));
  ranks.set('age', -1);
  const places = new Map(found.map((id, at) => [id, (at + 1) / (found.length + 1)]));
  const rankOf = ({ topic, facts, shows }: Piece): number =>
    Math.min(ranks.get(topic)!, ...[...facts, ...shows].map((id) => places.get(id) ?? Infinity));
  const groups = Map.groupBy(pieces, rankOf);
  return [...groups].sort(([one], [other]) => one - other).map(([, group]) => group);
}
