import { type OptionsReadings, optionsConfluence } from '../analysis/options/chain-bias.ts';
import { tradability } from '../analysis/options/chain-figures.ts';
import { COVERAGE_MIN } from '../analysis/options/gamma-exposure.ts';
import {
  bestStrategy,
  type StrategyConditions,
  type StrategyScore,
  strategyScores,
  trendLean,
} from '../analysis/options/option-strategies.ts';
import { type PricingEdge, pricingEdge, thetaDrag } from '../analysis/options/pricing-edge.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantOrNull, orNaN } from '../base/wire.ts';
import { type Known, nestedBlock } from './block.ts';
import {
  type ChainState,
  chainOf,
  chainState,
  type PricedState,
  type VolatilityState,
  volatilityOf,
} from './chain-state.ts';
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
    const atr = orNaN(known(technical).nested?.daily_atr['14']);
    const figures = figuresOf(volatility, chain, orNaN(known(gex).flat.gex_gamma_flip), atr);
    if (!chain?.priced) return figures;
    const days = orNaN(known(earnings).nested?.days_until);
    const conditions = conditionsOf(chain.priced, volatility.percentile, days);
    return { ...figures, ...strategiesOf(conditions, trendOf(known)) };
  },
});

/** All that stays while the price moves; of strategies nothing. */
const figuresOf = onceFor(
  ({ forecast, rank, percentile }: VolatilityState, chain: ChainState | null, flip: number, atr: number) => {
    const edge = chain?.priced ? edgeOf(chain.priced.chain, forecast) : null;
    const surface = chain?.priced?.surface;
    return {
      iv_percentile: finiteOrNull(percentile),
      chain_total_oi: finiteOrNull(chain?.counts.openInterest),
      chain_volume_1d: finiteOrNull(chain?.counts.volume),
      put_call_ratio: finiteOrNull(chain?.counts.putCallRatio),
      unusual_activity: chain?.unusual ?? false,
      iv_rank: finiteOrNull(rank),
      iv_skew: finiteOrNull(surface?.skew30),
      pricing_edge_bull: finiteOrNull(edge?.bull),
      pricing_edge_bear: finiteOrNull(edge?.bear),
      theta_drag_15d: finiteOrNull(thetaDrag(orNaN(surface?.atTheMoney30), orNaN(surface?.atTheMoney15))),
      options_confluence_score: finiteOrNull(
        chain === null ? null : optionsConfluence(readings(chain, edge, flip, atr)),
      ),
      best_options_strategy: null,
      strategy_scores_json: null,
      refresh_timestamp: instantOrNull(chain?.takenAt),
      sessions_old: chain?.sessionsOld ?? null,
    };
  },
);

/** Four trees. */
const edgeOf = onceFor(pricingEdge);

/** The direction of each measure of the chain. */
function readings(
  { counts, priced }: ChainState,
  edge: PricingEdge | null,
  flip: number,
  atr: number,
): OptionsReadings {
  const { surface, chain } = priced ?? {};
  return {
    put_call_ratio: counts.putCallRatio,
    skew: orNaN(surface?.skew30) / orNaN(surface?.atTheMoney30),
    flip_side: (orNaN(chain?.spot) - flip) / atr,
    pricing_edge: (orNaN(edge?.bull) - orNaN(edge?.bear)) / 10,
  };
}

const conditionsOf = onceFor(
  ({ chain, surface, exposure }: PricedState, percentile: number, daysToEarnings: number) => {
    const { callGamma, putGamma, netGamma } = exposure.total;
    return {
      iv_level: percentile / 100,
      gamma_lean: exposure.coverage >= COVERAGE_MIN ? netGamma / (callGamma + putGamma) : Number.NaN,
      skew: surface.skew30 / surface.atTheMoney30,
      liquidity: tradability(chain),
      days_to_earnings: daysToEarnings,
    };
  },
);

function trendOf(known: Known): number {
  const { moving_averages: averages, atr_14: atr } = known(technical).nested ?? {};
  const { last_price: price } = known(priceVolume).flat;
  return trendLean(orNaN(price), orNaN(averages?.sma_20), orNaN(averages?.sma_50), orNaN(atr));
}

const strategiesOf = onceFor((conditions: StrategyConditions, trend: number) => {
  const strategies = strategyScores(conditions, trend);
  return {
    best_options_strategy: bestStrategy(strategies)?.strategy ?? null,
    strategy_scores_json: strategiesText(strategies),
  };
});

/** JSON text of every strategy by name: its score, null when unknown, and the reasons. */
function strategiesText(scores: readonly StrategyScore[]): string {
  const members = scores.map(({ strategy, score, trendReason, reasons }) => {
    const rounded = Number.isNaN(score) ? null : Math.round(score * 10) / 10;
    return `"${strategy}":{"score":${rounded},"reasons":["${trendReason}",${membersText(reasons)}]}`;
  });
  return `{${members.join(',')}}`;
}

const membersText = onceFor((texts: readonly string[]): string => JSON.stringify(texts).slice(1, -1));
