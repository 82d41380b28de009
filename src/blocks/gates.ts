import { earningsSentimentBias, SENTIMENT_BIASES } from '../analysis/earnings-surprise.ts';
import { fundamentalGrade, fundamentalHealth, fundamentalQuality } from '../analysis/fundamental-quality.ts';
import { freeCashFlowMargin, operatingCashFlowMargin } from '../analysis/fundamentals.ts';
import { type VixRegime, vixRegime } from '../analysis/market-state.ts';
import { ofNewest } from '../analysis/reported-figures.ts';
import { isSevereDecline } from '../analysis/scoring/warnings.ts';
import { say } from '../analysis/sentences.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, orNaN } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';
import { flatBlock } from './block.ts';
import { earnings } from './earnings.ts';
import { fundamental, reportsOf } from './fundamental.ts';
import { instrumentOf } from './identity.ts';
import { momentum } from './momentum.ts';

const flat = {
  v44_intraday_circuit_breaker_gate_passed: wire.nullableBoolean(
    'True when no severe intraday decline: intraday_return_pct above -5.',
  ),
  beta_gate_passed: wire.nullableBoolean('VIX-aware: max beta 1.5 in EXTREME_FEAR, 2.0 in ELEVATED.'),
  beta_gate_reason: wire.nullableString('Why the beta gate passed, failed or was not judged.'),
  fundamental_gate_passed: wire.nullableBoolean('True when quality score >= 50.'),
  fundamental_quality_score: wire.nullableInteger('Based on P/E, ROE, profit margin.', wire.HUNDRED),
  fundamental_grade: wire.nullableString('Grade A-F.'),
  fundamental_health_score: wire.nullableInteger('Underlies the grade.', wire.HUNDRED),
  earnings_sentiment_bias: wire.nullableOneOf(
    SENTIMENT_BIASES,
    'POSITIVE (surprise >10%), SLIGHT_POSITIVE (0-10%), SLIGHT_NEGATIVE (-10-0%), NEGATIVE (<-10%).',
  ),
  all_quality_gates_passed: wire.nullableBoolean(
    'Beta, fundamental and earnings sentiment gates all passed, as far as they are applicable (score_warnings names those that are not); null where none is.',
  ),
};

/** The highest beta that passes in a fearful market; none in a calm one. */
export const MAX_BETA: Readonly<Partial<Record<VixRegime, number>>> = { EXTREME_FEAR: 1.5, ELEVATED: 2 };

const LIMITS = Object.values(MAX_BETA);

export const QUALITY_MIN = 50;

/** Conditions before a score counts. A gate without its inputs is null, neither passed nor failed. */
export const gates = flatBlock({
  name: 'gates',
  flat,
  reads: [fundamental, earnings, momentum],
  derive(view, known, market) {
    const notApplicable = gatesNotApplicable(view);
    const applies = (gate: QualityGate): boolean => !notApplicable.includes(gate);
    const beta = applies('beta')
      ? betaGate(known(fundamental).nested?.beta ?? null, market.vix?.level ?? null)
      : { passed: null, reason: say('beta.of_index') };
    const books = applies('fundamental') ? known(fundamental).nested : null;
    const severe = isSevereDecline(known(momentum).flat.intraday_return_pct);
    const quality = books === null ? null : finiteOrNull(qualityOf(books));
    const health = books === null ? null : healthOf(reportsOf(view));
    const fundamentalPassed = quality === null ? null : quality >= QUALITY_MIN;
    const surprise = applies('earnings_sentiment') ? known(earnings).nested?.surprise_pct : null;
    const bias = earningsSentimentBias(surprise ?? Number.NaN);
    const sentimentPassed = bias === null ? null : bias !== 'NEGATIVE';
    return {
      v44_intraday_circuit_breaker_gate_passed: severe === null ? null : !severe,
      beta_gate_passed: beta.passed,
      beta_gate_reason: beta.reason,
      fundamental_gate_passed: fundamentalPassed,
      fundamental_quality_score: quality,
      fundamental_grade: fundamentalGrade(health ?? Number.NaN),
      fundamental_health_score: health,
      earnings_sentiment_bias: bias,
      all_quality_gates_passed: allPassed(
        { beta: beta.passed, fundamental: fundamentalPassed, earnings_sentiment: sentimentPassed },
        applies,
      ),
    };
  },
});

function betaGate(beta: number | null, vix: number | null) {
  const regime = vix === null ? null : vixRegime(vix);
  if (beta === null && regime === null) return { passed: null, reason: null };
  if (beta === null) return { passed: null, reason: say('beta.unknown') };
  if (vix === null || regime === null) return { passed: null, reason: say('beta.no_vix') };
  const figures = { beta: betaInWords(beta), vix: vix.toFixed(2) };
  const limit = MAX_BETA[regime];
  if (limit === undefined) return { passed: true, reason: say('beta.free', figures) };
  const passed = beta <= limit;
  const reason = say(passed ? 'beta.within' : 'beta.above', { ...figures, limit: limit.toFixed(1) });
  return { passed, reason };
}

/** Two decimals, more where they would hide a beta above a limit. */
function betaInWords(beta: number): string {
  const words = beta.toFixed(2);
  const hidesExcess = LIMITS.some((limit) => Number(words) === limit && beta > limit);
  return hidesExcess ? String(beta) : words;
}

type Books = NonNullable<ReturnType<typeof fundamental.derive>['nested']>;

function qualityOf({ pe_ratio, eps_ttm, roe, profit_margin }: Books): number {
  return fundamentalQuality({
    // Without earnings there is no P/E, but the price buys no earnings.
    peRatio: eps_ttm !== null && eps_ttm <= 0 ? Number.POSITIVE_INFINITY : orNaN(pe_ratio),
    roe: orNaN(roe),
    profitMargin: orNaN(profit_margin),
  });
}

const healthOf = onceFor(({ fields: books, statements }: ReturnType<typeof reportsOf>) => {
  const health = fundamentalHealth({
    debtToEquity: orNaN(books.debt_to_equity),
    netLeverage: orNaN(books.net_leverage),
    currentRatio: orNaN(books.current_ratio),
    revenueGrowth: orNaN(books.revenue_growth_yoy),
    earningsGrowth: orNaN(books.earnings_growth_yoy),
    grossMargin: orNaN(books.gross_margin),
    operatingMargin: orNaN(books.operating_margin),
    netMargin: orNaN(books.net_margin),
    roe: orNaN(books.roe),
    roa: orNaN(books.roa),
    roic: orNaN(books.roic),
    operatingCashFlowMargin: orNaN(finiteOrNull(ofNewest(statements, operatingCashFlowMargin))),
    freeCashFlowMargin: orNaN(finiteOrNull(ofNewest(statements, freeCashFlowMargin))),
  });
  return finiteOrNull(health);
});

/** One failed gate decides; otherwise an unknown one leaves the result null. */
function allPassed(
  verdicts: Readonly<Record<QualityGate, boolean | null>>,
  applies: (gate: QualityGate) => boolean,
): boolean | null {
  const applicable = QUALITY_GATES.filter(applies).map((gate) => verdicts[gate]);
  if (applicable.includes(false)) return false;
  return applicable.length === 0 || applicable.includes(null) ? null : true;
}

const QUALITY_GATES = ['beta', 'fundamental', 'earnings_sentiment'] as const;
type QualityGate = (typeof QUALITY_GATES)[number];

/** Quality gates without meaning: a fund has no financial statements and no results, an index no beta either. */
export function gatesNotApplicable(view: StockView): readonly QualityGate[] {
  const instrument = instrumentOf(view);
  if (instrument === null) return [];
  return instrument === 'index' ? QUALITY_GATES : ['fundamental', 'earnings_sentiment'];
}
