import { vixRegime } from '../analysis/market-state.ts';
import { dayOf } from '../base/dates.ts';
import { gex } from '../blocks/gex.ts';
import { deriveWith } from '../derive/compose.ts';
import { type TapeSource, unlessDamaged } from '../derive/tape-source.ts';
import { INDEX_SYMBOLS, unknownMarket, VIX_SYMBOLS } from '../market/market-view.ts';
import { DailyPrices } from '../tape/daily-prices.ts';
import { readStockView, type SymbolTape } from '../tape/index.ts';
import type { DateRegime, GammaRegime } from './regimes.ts';

export interface RegimesWork {
  /** Of `VIX_SYMBOLS`. */
  readonly tapes: readonly SymbolTape[];
  /** Of `INDEX_SYMBOLS`, with the chains of the dates and of the sessions before them. */
  readonly indices: readonly SymbolTape[];
  /** Ascending. */
  readonly dates: readonly string[];
}

/**
 * The regimes that a trader reads before the open of each date: of the volatility index, and of the dealers' gamma in the
 * newest chain of the index; those that are known.
 */
export function regimesOf(source: TapeSource, { tapes, indices, dates }: RegimesWork): DateRegime[][] {
  const { reader, calendar } = source;
  const [first, last] = [dayOf(dates[0]!), dayOf(dates.at(-1)!)];
  const volatility = inOrderOf(VIX_SYMBOLS, tapes).map(
    (tape) => new DailyPrices(reader, tape, calendar, { first, last }),
  );
  const chained = inOrderOf(INDEX_SYMBOLS, indices).filter(({ chains }) => chains.length > 0);
  return dates.map((date) => {
    const prior = calendar.previousSession(date);
    if (prior === null) return [];
    const index = volatility.find((prices) => prices.rowOn(dayOf(prior)) >= 0);
    const vix = index?.inSharesOf(dayOf(prior)).close[index.rowOn(dayOf(prior))];
    const gamma = gammaRegimeOn(source, chained, date, prior);
    const regime = vix === undefined ? null : vixRegime(vix);
    return [...(regime === null ? [] : [regime]), ...(gamma === null ? [] : [gamma])];
  });
}

const inOrderOf = (symbols: readonly string[], tapes: readonly SymbolTape[]): SymbolTape[] =>
  symbols.flatMap((symbol) => tapes.filter((tape) => tape.symbol === symbol));

/** Null without a chain that was taken between the session before the last one and the open. */
function gammaRegimeOn(
  { reader, calendar }: TapeSource,
  tapes: readonly SymbolTape[],
  date: string,
  prior: string,
): GammaRegime | null {
  const { open } = calendar.session(date)!;
  for (const tape of tapes) {
    const view = unlessDamaged(() => [readStockView(reader, tape, calendar, prior, open)])[0] ?? null;
    if (view === null || view.chain === null) continue;
    const { gex_regime: regime } = deriveWith(gex, view, unknownMarket(prior, open)).flat;
    if (regime !== null) return regime === 'neutral' ? 'neutral_gamma' : regime;
  }
  return null;
}
