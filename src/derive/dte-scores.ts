import type { Static } from 'typebox';
import {
  DIRECTIONS,
  type Direction,
  DTE_FORMULA_VERSION,
  TIMEFRAMES,
  type Timeframe,
} from '../analysis/options/dte-axes.ts';
import {
  type DteAssessment,
  type DteVerdict,
  evaluateExpirations,
} from '../analysis/options/dte-evaluator.ts';
import { expirationLives, isSessionOf, sessionShareLeft } from '../analysis/options/expiration-life.ts';
import { say } from '../analysis/sentences.ts';
import { DAY_MS, dateOf, midnightUtc } from '../base/dates.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import type { PricedState } from '../blocks/chain-state.ts';
import type { Kept } from '../blocks/kept.ts';
import type { MarketView, StockView } from '../market/stock-view.ts';
import {
  AVAILABILITIES,
  type Availability,
  answerTail,
  type CallFields,
  type ChainSnapshot,
  loadChain,
} from './chain-snapshot.ts';
import { openInterestRemarks } from './open-interest.ts';

const axis = (description: string) =>
  wire.nullableNumber(`${description} 0 to 100; null when an input is missing.`, wire.HUNDRED);
const detail = (description: string) => wire.withDefault(wire.string(description), '');

const ExpirationScore = wire.record('ExpirationScore', 'One expiration on the four axes.', {
  expiration: wire.date('Date of the expiration.'),
  dte: wire.integer('Calendar days to it.', wire.NOT_NEGATIVE),
  composite_score: axis('Weighted mean of the axes that are known.'),
  confidence: wire.oneOf(['high', 'medium', 'low'], 'How much of what the assessment wants was there.'),
  edge_ratio: axis('Expected travel of the price against what the premium asks for.'),
  iv_fitness: axis('How cheap the volatility is that a buyer pays.'),
  dealer_flow: axis("What dealers' hedging does to the move."),
  liquidity: axis('Spread, open interest, volume and quotes near the money.'),
  liquidity_gated: wire.flag('True when it is too illiquid to be recommended.'),
  near_opex: wire.flag('True within two sessions of a monthly expiration.'),
  opex_days: wire.integer(
    'Sessions between it and the nearest monthly expiration; 0 on it.',
    wire.NOT_NEGATIVE,
  ),
  edge_ratio_detail: detail('What edge_ratio was computed from.'),
  iv_fitness_detail: detail('What iv_fitness was computed from, and the known events inside its life.'),
  dealer_flow_detail: detail('What dealer_flow was computed from.'),
  liquidity_detail: detail('What liquidity was computed from, and what gates it.'),
});

/** Response of the expiration evaluator. */
export const DteScores = wire.record(
  'DteScores',
  'Every expiration of a chain, weighed for a buyer of options.',
  {
    symbol: wire.string('Ticker symbol.'),
    timeframe: wire.oneOf(TIMEFRAMES, 'How long a trade is held: one session, five, twenty.'),
    direction: wire.oneOf(DIRECTIONS, 'Which way the trade is.'),
    spot_price: wire.nullableNumber('Price of the underlying with the chain, USD.', wire.NOT_NEGATIVE),
    atr: wire.nullableNumber(
      'Daily ATR(14) of the last completed session, USD; null without daily bars.',
      wire.NOT_NEGATIVE,
    ),
    atr_source: wire.oneOf(['daily_atr', 'none'], 'Where the ATR comes from.'),
    recommended_expiration: wire.nullableDate(
      'The best expiration that nothing bars; null when there is none.',
    ),
    expirations: wire.listOf(ExpirationScore, 'Every expiration that still lives, ascending.'),
    source_time: wire.nullableDateTime('When the chain was taken.'),
    availability: wire.oneOf(AVAILABILITIES, 'How much of the answer there is.'),
    formula_version: wire.string('Version of the evaluator.'),
    ...answerTail('what its figures assume'),
  },
);

export interface DteQuestion {
  readonly timeframe: Timeframe;
  readonly direction: Direction;
}

/** An answer without the fields of the response. */
export type DteAnswer = Omit<Static<typeof DteScores>, CallFields>;

export function dteScores(
  view: StockView,
  market: MarketView,
  question: DteQuestion,
  kept: Kept | null = null,
): DteAnswer {
  const snapshot = loadChain(view, market, kept);
  if (snapshot.priced === null) return dteUnavailable(view.symbol, question, snapshot.reason);
  const verdict = evaluateExpirations({ ...dteInputs(view, snapshot, snapshot.priced), ...question });
  const best = verdict.expirations[verdict.recommended];
  const [availability, remarks] = availabilityOf(snapshot, snapshot.priced, verdict);
  return {
    ...dteUnavailable(view.symbol, question, [...remarks, ...snapshot.remarks].join(' ')),
    spot_price: snapshot.priced.chain.spot,
    atr: finiteOrNull(snapshot.atr),
    atr_source: Number.isNaN(snapshot.atr) ? 'none' : 'daily_atr',
    recommended_expiration: best === undefined ? null : dateOf(best.date),
    expirations: verdict.expirations.map(wireExpiration),
    source_time: new Date(snapshot.takenAt).toISOString(),
    availability,
    dependencies: snapshot.dependencies,
  };
}

/** The answer for a symbol without a usable chain. */
export function dteUnavailable(symbol: string, question: DteQuestion, reason: string): DteAnswer {
  return {
    symbol,
    ...question,
    spot_price: null,
    atr: null,
    atr_source: 'none',
    recommended_expiration: null,
    expirations: [],
    source_time: null,
    availability: 'unavailable',
    formula_version: DTE_FORMULA_VERSION,
    dependencies: [],
    availability_qualifier: reason,
  };
}

/** What the evaluator reads of a priced chain, whatever is asked of it. */
export function dteInputs(
  view: StockView,
  snapshot: ChainSnapshot,
  { chain, smiles, surface, exposure }: PricedState,
) {
  const { at, today } = chain;
  const todayLeft = sessionShareLeft(view.sessionOn(today), at);
  return {
    chain,
    smiles,
    surface,
    exposure,
    lives: expirationLives(chain.expirations, today, todayLeft, isSessionOf(view.sessionOn)),
    atr: snapshot.atr,
    ivPercentile: snapshot.volatility.percentile,
    forecastVolatility: snapshot.volatility.forecast,
    earningsDates:
      snapshot.earningsInDays === null
        ? []
        : [midnightUtc(view.tradeDate) + snapshot.earningsInDays * DAY_MS],
  };
}

function availabilityOf(
  snapshot: ChainSnapshot,
  { chain }: PricedState,
  verdict: DteVerdict,
): [Availability, string[]] {
  const missing = openInterestRemarks(chain);
  if (verdict.expirations.length === 0) return ['unavailable', [say('chain.expired')]];
  if (Number.isNaN(snapshot.atr)) {
    missing.push(say('chain.no_atr'));
  } else if (verdict.recommended < 0) {
    missing.push(say('chain.none_passes'));
  }
  if (Number.isNaN(snapshot.volatility.percentile)) {
    const byCloses = !Number.isNaN(snapshot.volatility.forecast);
    missing.push(say(byCloses ? 'chain.by_realised' : 'chain.no_yardstick'));
  }
  return [missing.length === 0 ? 'available' : 'partial', missing];
}

function wireExpiration(assessment: DteAssessment): Static<typeof ExpirationScore> {
  const { scores, details } = assessment;
  return {
    expiration: dateOf(assessment.date),
    dte: assessment.days,
    composite_score: finiteOrNull(assessment.composite),
    confidence: assessment.confidence,
    edge_ratio: finiteOrNull(scores.edge_ratio),
    iv_fitness: finiteOrNull(scores.iv_fitness),
    dealer_flow: finiteOrNull(scores.dealer_flow),
    liquidity: finiteOrNull(scores.liquidity),
    liquidity_gated: assessment.gatedFor.length > 0,
    near_opex: assessment.nearOpex,
    opex_days: assessment.opexDays,
    edge_ratio_detail: details.edge_ratio,
    iv_fitness_detail: details.iv_fitness,
    dealer_flow_detail: details.dealer_flow,
    liquidity_detail: details.liquidity,
  };
}
