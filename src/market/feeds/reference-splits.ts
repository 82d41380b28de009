import type { Feed, SourceUnit } from '../feed.ts';

/**
 * Results told years later are on the basis of the shares of then: AAPL's 13.81 dollars of January 2013 stand as 1.97,
 * because 7 shares came of one in 2014. Beside the price of the day they would be a seventh of what they were, and they
 * would tell of a split before its day. Splits that the folder knows are undone.
 */

/** A feed whose corporate actions tell of splits, and which of its units hold them. */
export interface SplitSource {
  readonly feed: Feed;
  readonly units: RegExp;
}

/** New shares for one of a symbol from one date to another; 1 where no split is known. */
export type SplitFactor = (symbol: string, after: string, upTo: string) => number;

export async function splitUnits(sources: readonly SplitSource[]): Promise<SourceUnit[]> {
  const units = sources.map(async ({ feed, units }) =>
    (await feed.units()).filter(({ key }) => units.test(key)),
  );
  return (await Promise.all(units)).flat();
}

/** Splits of every symbol that the units tell of; one that two sources tell counts once. */
export async function readSplits(units: readonly SourceUnit[]): Promise<SplitFactor> {
  const ratios = new Map<string, Map<number, number>>();
  for (const unit of units) {
    for await (const delivery of unit.read()) {
      if (delivery.kind !== 'actions') continue;
      for (const { kind, exDate, value } of delivery.actions) {
        if (kind !== 'split' || !isSplit(value)) continue;
        ratios.getOrInsertComputed(delivery.symbol, () => new Map<number, number>()).set(exDate, value);
      }
    }
  }
  return (symbol, after, upTo) => {
    let factor = 1;
    for (const [exDate, ratio] of ratios.get(symbol) ?? []) {
      if (exDate > Date.parse(after) && exDate <= Date.parse(upTo)) factor *= ratio;
    }
    return factor;
  };
}

/**
 * Splits are announced in whole shares, n for 1, 1 for n or n for 2; other ratios (DOV 1.238) are spin-offs that a price
 * vendor writes as splits, and no vendor of earnings restates a past quarter for one.
 */
function isSplit(ratio: number): boolean {
  return (
    [ratio, 1 / ratio, ratio * 2].some((shares) => Math.abs(shares - Math.round(shares)) < 1e-3) && ratio > 0
  );
}
