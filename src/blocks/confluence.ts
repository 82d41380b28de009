import { isFresh } from '../analysis/scoring/conviction.ts';
import { twoSided } from '../analysis/scoring/ledger.ts';
import { bias, dominance, TIERS, tier, V3_TIERS, V5_TIERS } from '../analysis/scoring/tiers.ts';
import { scoreWarnings } from '../analysis/scoring/warnings.ts';
import { V3_WEIGHTS } from '../analysis/scoring/weights.ts';
import { rowsBetween } from '../analysis/sessions.ts';
import { incompleteAfter, newestBar } from '../analysis/view-bars.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantText } from '../base/wire.ts';
import type { MarketView } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { absentFlat, flatBlock, type Known } from './block.ts';
import { gatesNotApplicable } from './gates.ts';
import { instrumentOf } from './identity.ts';
import { momentum } from './momentum.ts';
import { type ScoreState, scoreInputs, scoreState } from './score-inputs.ts';

const V5_TIERS_TEXT = 'EXCELLENT (>=85), GOOD (>=70), MODERATE (>=50), WEAK (>=25), POOR (<25)';

const flat = {
  confluence_score: wire.nullableNumber(
    'Score v3: weighted volume, technical, day type, pattern, proximity; of the side for which it is higher.',
    wire.HUNDRED,
  ),
  confluence_tier: wire.nullableOneOf(
    TIERS,
    'EXCELLENT (>=90), GOOD (>=80), MODERATE (>=70), WEAK (>=60), POOR (<60), from confluence_score.',
  ),
  bullish_confluence: wire.nullableNumber('Canonical bullish score (v5).', wire.HUNDRED),
  bearish_confluence: wire.nullableNumber('Canonical bearish score (v5).', wire.HUNDRED),
  bullish_tier: wire.nullableOneOf(TIERS, `${V5_TIERS_TEXT}, from bullish_confluence.`),
  bearish_tier: wire.nullableOneOf(TIERS, `${V5_TIERS_TEXT}, from bearish_confluence.`),
  net_confluence: wire.nullableNumber('bullish_confluence minus bearish_confluence.', wire.SIGNED_HUNDRED),
  directional_bias: wire.nullableOneOf(
    ['bullish', 'bearish', 'neutral'],
    'From net_confluence: bullish at 10 and above, bearish at -10 and below, else neutral.',
  ),
  scoring_version: wire.nullableString('Canonical scoring version (v5 preferred).'),
  conviction_max_v5: wire.nullableNumber('max(bull, bear).', wire.HUNDRED),
  conflict_min_v5: wire.nullableNumber('min(bull, bear).', wire.HUNDRED),
  directional_bias_v5: wire.nullableOneOf(
    ['BULL_DOMINANT', 'BEAR_DOMINANT', 'MIXED'],
    'The side that leads by the 10-point margin, else MIXED.',
  ),
  confluence_computed_at: wire.nullableDateTime('When the scores were computed, for staleness detection.'),
  score_warnings: wire.withDefault(
    wire.listOf(
      wire.string('Warning.'),
      'Open vocabulary; pass unknown values through. Known: intraday_decline_severe, extreme_rsi, circuit_breaker_active, score_stale, conviction_stale, feed_stale, session_partial, session_incomplete, one_exchange, index_not_scored (an index, ^..., has no scores), and beta_gate_not_applicable, fundamental_gate_not_applicable, earnings_sentiment_gate_not_applicable (a fund has no books and no results, an index no beta either).',
    ),
    [],
  ),
};

/** Null below half of a score's weights; all null without a single component. */
export const confluence = flatBlock({
  name: 'confluence',
  flat,
  reads: [momentum, scoreInputs],
  derive(view, known, market) {
    const state = scoreState(known);
    const notApplicable = gatesNotApplicable(view).map((gate) => `${gate}_gate_not_applicable`);
    if (state.v5.weightAvailable === 0) {
      const reasons = instrumentOf(view) === 'index' ? ['index_not_scored'] : [];
      return { ...absentFlat(flat), score_warnings: [...reasons, ...notApplicable] };
    }
    const v3 = legacyScore(state);
    const bull = state.v5.bull.score;
    const bear = state.v5.bear.score;
    const { net } = state.v5;
    return {
      confluence_score: finiteOrNull(v3),
      confluence_tier: tier(v3, V3_TIERS),
      bullish_confluence: finiteOrNull(bull),
      bearish_confluence: finiteOrNull(bear),
      bullish_tier: tier(bull, V5_TIERS),
      bearish_tier: tier(bear, V5_TIERS),
      net_confluence: finiteOrNull(net),
      directional_bias: bias(net),
      scoring_version: SCORING_VERSION,
      conviction_max_v5: finiteOrNull(Math.max(bull, bear)),
      conflict_min_v5: finiteOrNull(Math.min(bull, bear)),
      directional_bias_v5: dominance(net),
      confluence_computed_at: instantText(view.asOf),
      score_warnings: [...warnings(view, known, market, state), ...notApplicable],
    };
  },
});

export const SCORING_VERSION = 'v5';

/** v3 has no sides: it is the score of the better one. NaN below half of its weights. */
function legacyScore({ table }: ScoreState): number {
  const { bull, bear } = twoSided(table, V3_WEIGHTS);
  return Math.max(bull.score, bear.score);
}

function warnings(view: StockView, known: Known, market: MarketView, { path }: ScoreState): string[] {
  const { intraday_return_pct: intradayReturnPct, extreme_rsi_warning: extremeRsi } = known(momentum).flat;
  const hasSession = path.rows.to > path.rows.from;
  return scoreWarnings({
    intradayReturnPct,
    indexReturn1dPct: market.index?.return1dPct ?? null,
    extremeRsi,
    newestBarEnd: newestBar(view)?.end ?? null,
    asOf: view.asOf,
    session: view.session,
    priorSession: view.priorSession,
    firstBarStart: firstRegularBar(view),
    intradayWhole: view.intradayWhole,
    incompleteAfter: incompleteAfter(view),
    isPart: view.partialFeed !== null,
    convictionFresh: hasSession ? isFresh(path, Math.min(view.asOf, view.session.close)) : null,
  });
}

function firstRegularBar({ intraday, session }: StockView): number | null {
  const { from, to } = rowsBetween(intraday, session.open, session.close);
  return from < to ? intraday.time[from]! : null;
}
