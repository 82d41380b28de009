import { earningsSentimentBias, SENTIMENT_BIASES } from '../analysis/earnings-surprise.ts';
import { fundamentalGrade, fundamentalHealth, fundamentalQuality } from '../analysis/fundamental-quality.ts';
import { freeCashFlowMargin, operatingCashFlowMargin } from '../analysis/fundamentals.ts';
import { isSevereDecline } from '../analysis/scoring/warnings.ts';
import { type VixRegime, vixRegime } from '../analysis/market-state.ts';
import { nullableBoolean, nullableInteger, nullableOneOf, nullableString } from '../base/schema.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock } from './block.ts';
import { earnings } from './earnings.ts';
import { fundamental } from './fundamental.ts';
import { gatesNotApplicable, QUALITY_GATES, type QualityGate } from './instrument.ts';
import { momentum } from './momentum.ts';
import { currentStatements, ofNewest } from './reported-facts.ts';
import { finiteOrNull } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };

const flat = {
  v44_intraday_circuit_breaker_gate_passed: nullableBoolean(
    'True when no severe intraday decline: intraday_return_pct above -5.',
  ),
  beta_gate_passed: nullableBoolean('VIX-aware: max beta 1.5 in EXTREME_FEAR, 2.0 in ELEVATED.'),
  beta_gate_reason: nullableString('Why the beta gate passed, failed or was not judged.'),
  fundamental_gate_passed: nullableBoolean('True when quality score >= 50.'),
  fundamental_quality_score: nullableInteger('Based on P/E, ROE, profit margin.', HUNDRED),
  fundamental_grade: nullableString('Grade A-F.'),
  fundamental_health_score: nullableInteger('Underlies the grade.', HUNDRED),
  earnings_sentiment_bias: nullableOneOf(
    SENTIMENT_BIASES,
    'POSITIVE (surprise >10%), SLIGHT_POSITIVE (0-10%), SLIGHT_NEGATIVE (-10-0%), NEGATIVE (<-10%).',
  ),
  all_quality_gates_passed: nullableBoolean(
    'Beta, fundamental and earnings sentiment gates all passed, as far as they are applicable (score_warnings names those that are not); null where none is.',
  ),
};

/** The highest beta that is let through in a fearful market; a calm one bears any. */
const MAX_BETA: Readonly<Partial<Record<VixRegime, number>>> = { EXTREME_FEAR: 1.5, ELEVATED: 2 };

const LEAST_QUALITY = 50;

/** Yes-or-no conditions before a score counts. What cannot be judged is null, neither passed nor failed. */
export const gates = defineBlock({
  name: 'gates',
  schema: null,
  flat,
  reads: [fundamental, earnings, momentum],
  derive(view, known, market) {
    const notApplicable = gatesNotApplicable(view);
    const applies = (gate: QualityGate): boolean => !notApplicable.includes(gate);
    const beta = applies('beta')
      ? betaGate(known(fundamental).nested?.beta ?? null, market.vix?.level ?? null)
      : { passed: null, reason: 'Not applicable: an index has no beta.' };
    const books = applies('fundamental') ? known(fundamental).nested : null;
    const severe = isSevereDecline(known(momentum).flat.intraday_return_pct);
    const quality = books === null ? null : finiteOrNull(qualityOf(books));
    const health = books === null ? null : finiteOrNull(healthOf(view, books));
    const fundamentalPassed = quality === null ? null : quality >= LEAST_QUALITY;
    const surprise = applies('earnings_sentiment') ? known(earnings).nested?.surprise_pct : null;
    const bias = earningsSentimentBias(surprise ?? Number.NaN);
    const sentimentPassed = bias === null ? null : bias !== 'NEGATIVE';
    return {
      nested: null,
      flat: {
        v44_intraday_circuit_breaker_gate_passed: severe === null ? null : !severe,
        beta_gate_passed: beta.passed,
        beta_gate_reason: beta.reason,
        fundamental_gate_passed: fundamentalPassed,
        fundamental_quality_score: quality,
        fundamental_grade: fundamentalGrade(health ?? Number.NaN),
        fundamental_health_score: health,
        earnings_sentiment_bias: bias,
        all_quality_gates_passed: allPassed(
          {
            beta: beta.passed,
            fundamental: fundamentalPassed,
            earnings_sentiment: sentimentPassed,
          },
          applies,
        ),
      },
    };
  },
});

interface BetaVerdict {
  readonly passed: boolean | null;
  readonly reason: string | null;
}

function betaGate(beta: number | null, vix: number | null): BetaVerdict {
  const regime = vix === null ? null : vixRegime(vix);
  if (beta === null && regime === null) return { passed: null, reason: null };
  if (beta === null) return { passed: null, reason: 'Not judged: the beta of the stock is not known.' };
  if (vix === null || regime === null) return { passed: null, reason: 'Not judged: the VIX is not known.' };
  const inputs = `Beta ${betaInWords(beta)}, VIX ${vix.toFixed(2)} (${regime})`;
  const limit = MAX_BETA[regime];
  if (limit === undefined) return { passed: true, reason: `${inputs}: no limit in this regime.` };
  const passed = beta <= limit;
  return { passed, reason: `${inputs}: ${passed ? 'within' : 'above'} the limit of ${limit.toFixed(1)}.` };
}

/** Two digits, more where two would say that a beta above a limit is on it. */
function betaInWords(beta: number): string {
  const rounded = Number(beta.toFixed(2));
  const hidesExcess = Object.values(MAX_BETA).some((limit) => rounded === limit && beta > limit);
  return hidesExcess ? String(beta) : beta.toFixed(2);
}

type Books = NonNullable<ReturnType<typeof fundamental.derive>['nested']>;

function qualityOf({ pe_ratio, eps_ttm, roe, profit_margin }: Books): number {
  return fundamentalQuality({
    // Without earnings there is no P/E to quote, but it is known that the price is paid for none.
    peRatio: eps_ttm !== null && eps_ttm <= 0 ? Number.POSITIVE_INFINITY : orNaN(pe_ratio),
    roe: orNaN(roe),
    profitMargin: orNaN(profit_margin),
  });
}

function healthOf(view: StockView, books: Books): number {
  const statements = currentStatements(view);
  return fundamentalHealth({
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
}

function orNaN(value: number | null): number {
  return value ?? Number.NaN;
}

/** One that failed decides; otherwise one that could not be judged leaves all open. */
function allPassed(
  verdicts: Readonly<Record<QualityGate, boolean | null>>,
  applies: (gate: QualityGate) => boolean,
): boolean | null {
  const asked = QUALITY_GATES.filter(applies).map((gate) => verdicts[gate]);
  if (asked.includes(false)) return false;
  return asked.length === 0 || asked.includes(null) ? null : true;
}
