import { type OptionsReadings, optionsConfluence } from '../analysis/options/chain-bias.ts';
import { tradability } from '../analysis/options/chain-figures.ts';
import { COVERAGE_MIN } from '../analysis/options/gamma-exposure.ts';
import {
  bestStrategy,
  type StrategyInputs,
  type StrategyScore,
  strategyScores,
  trendLean,
} from '../analysis/options/option-strategies.ts';
import { type PricingEdge, pricingEdge, thetaDrag } from '../analysis/options/pricing-edge.ts';
import type { PricedChain } from '../analysis/options/quotes.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantOrNull, orNaN } from '../base/wire.ts';
import { type Known, nestedBlock } from './block.ts';
import { type ChainState, chainOf, chainState, type PricedState, volatilityOf } from './chain-state.ts';
import { earnings } from './earnings.ts';
import { gex } from './gex.ts';
import { priceVolume } from './price-volume.ts';
import { technical } from './technical.ts';

const Options = wire.record(
  'Options',
  'The option chain of the stock in figures.',
  {
    iv_percentile: wire.nullableNumber(
      'Share of the last 252 days with IV below today, versus the 52-week range.',
      wire.HUNDRED,
    ),
    chain_total_oi: wire.nullableInteger(
      'Open interest of the whole chain, contracts; null unless nine tenths of its calls and of its puts state it.',
    ),
    chain_volume_1d: wire.nullableInteger(
      'Volume of the whole chain in the session in which it was taken, contracts; null unless that of calls and of puts is known.',
    ),
    put_call_ratio: wire.nullableNumber(
      'Put volume / call volume of the session in which the chain was taken; null unless both are known.',
    ),
    unusual_activity: wire.flag(
      'True when contracts with at least 8 days to live that traded twice their open interest make up a fifth of the volume of that life.',
    ),
    iv_rank: wire.nullableNumber(
      '(IV - low52) / (high52 - low52) * 100 of the 30-day at-the-money IV.',
      wire.HUNDRED,
    ),
    iv_skew: wire.nullableNumber('Put IV premium over call IV, 25 delta at 30 days.'),
    pricing_edge_bull: wire.nullableNumber('Binomial value against market mid for calls; 0-10 intent.'),
    pricing_edge_bear: wire.nullableNumber('Binomial value against market mid for puts; 0-10 intent.'),
    theta_drag_15d: wire.nullableNumber(
      'Loss of an at-the-money 30-day premium over 15 days at a price that stands still, by the term structure of the chain, percent of premium.',
    ),
    options_confluence_score: wire.nullableNumber(
      'How far put/call volume, skew, side of the gamma flip and pricing edge lean to one side together: 0 none, 100 all of them fully.',
      wire.HUNDRED,
    ),
    best_options_strategy: wire.nullableString(
      'Strategy with the best viability score; null when none reaches 50.',
    ),
    strategy_scores_json: wire.nullableString(
      'JSON-encoded per-strategy viability scores: by strategy its score, 0 to 100, and the reasons for it.',
    ),
    refresh_timestamp: wire.nullableDateTime('When the chain was taken (SLA under 60 seconds).'),
    sessions_old: wire.nullableInteger(
      'Age of the chain, sessions: 0 of the trade date, 1 of the session before; null without a chain.',
      wire.NOT_NEGATIVE,
    ),
  },
  [],
);

/** Figures of the option chain; without one only the rank of a stated history, null without either. */
export const options = nestedBlock({
  name: 'options',
  schema: Options,
  reads: [chainState, earnings, gex, priceVolume, technical],
  derive(_view, known) {
    const chain = chainOf(known);
    const volatility = volatilityOf(known);
    if (chain === null && Number.isNaN(volatility.implied)) return null;
    const edge = chain?.priced ? edgeOf(chain.priced.chain, volatility.forecast) : null;
    const surface = chain?.priced?.surface;
    const strategies = chain?.priced ? strategyScores(strategyInputs(known, chain.priced)) : [];
    return {
      iv_percentile: finiteOrNull(volatility.percentile),
      chain_total_oi: finiteOrNull(chain?.counts.openInterest),
      chain_volume_1d: finiteOrNull(chain?.counts.volume),
      put_call_ratio: finiteOrNull(chain?.counts.putCallRatio),
      unusual_activity: chain?.unusual ?? false,
      iv_rank: finiteOrNull(volatility.rank),
      iv_skew: finiteOrNull(surface?.skew30),
      pricing_edge_bull: finiteOrNull(edge?.bull),
      pricing_edge_bear: finiteOrNull(edge?.bear),
      theta_drag_15d: finiteOrNull(thetaDrag(orNaN(surface?.atTheMoney30), orNaN(surface?.atTheMoney15))),
      options_confluence_score: finiteOrNull(
        chain === null ? null : optionsConfluence(readings(known, chain, edge)),
      ),
      best_options_strategy: bestStrategy(strategies)?.strategy ?? null,
      strategy_scores_json: strategies.length === 0 ? null : strategiesText(strategies),
      refresh_timestamp: instantOrNull(chain?.takenAt),
      sessions_old: chain?.sessionsOld ?? null,
    };
  },
});

/** The edge of each chain that is kept, at the forecast that it was last asked for: four trees. */
const edges = new WeakMap<PricedChain, { readonly forecast: number; readonly edge: PricingEdge }>();

function edgeOf(chain: PricedChain, forecast: number): PricingEdge {
  const kept = edges.get(chain);
  if (kept !== undefined && Object.is(kept.forecast, forecast)) return kept.edge;
  const edge = pricingEdge(chain, forecast);
  edges.set(chain, { forecast, edge });
  return edge;
}

/** The direction of each measure of the chain. */
function readings(known: Known, { counts, priced }: ChainState, edge: PricingEdge | null): OptionsReadings {
  const { surface, chain } = priced ?? {};
  const { gex_gamma_flip: flip } = known(gex).flat;
  return {
    put_call_ratio: counts.putCallRatio,
    skew: orNaN(surface?.skew30) / orNaN(surface?.atTheMoney30),
    flip_side: (orNaN(chain?.spot) - orNaN(flip)) / orNaN(known(technical).nested?.daily_atr['14']),
    pricing_edge: (orNaN(edge?.bull) - orNaN(edge?.bear)) / 10,
  };
}

function strategyInputs(known: Known, { chain, surface, exposure }: PricedState): StrategyInputs {
  const averages = known(technical).nested?.moving_averages;
  const { atr_14: atr } = known(technical).nested ?? {};
  const { percentile } = volatilityOf(known);
  const { callGamma, putGamma, netGamma } = exposure.total;
  const { last_price: price } = known(priceVolume).flat;
  return {
    trend: trendLean(orNaN(price), orNaN(averages?.sma_20), orNaN(averages?.sma_50), orNaN(atr)),
    iv_level: percentile / 100,
    gamma_lean: exposure.coverage >= COVERAGE_MIN ? netGamma / (callGamma + putGamma) : Number.NaN,
    skew: surface.skew30 / surface.atTheMoney30,
    liquidity: tradability(chain),
    days_to_earnings: orNaN(known(earnings).nested?.days_until),
  };
}

/** JSON text of every strategy by name: its score, null when unknown, and the reasons. */
function strategiesText(scores: readonly StrategyScore[]): string {
  const rounded = (score: number): number | null =>
    Number.isNaN(score) ? null : Math.round(score * 10) / 10;
  return JSON.stringify(
    Object.fromEntries(
      scores.map(({ strategy, score, reasons }) => [strategy, { score: rounded(score), reasons }]),
    ),
  );
}
