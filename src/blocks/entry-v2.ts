import { flowSums } from '../analysis/order-flow/flow-sums.ts';
import {
  ENTRY_COMPONENTS,
  type EntryContext,
  entryInputs,
  entryInstant,
  entryTable,
  entryWeights,
  type GammaModifier,
  RECENT_FLOW_MINUTES,
} from '../analysis/scoring/entry.ts';
import { allGatesPassed, type EntryGate, entryGates } from '../analysis/scoring/entry-gates.ts';
import { twoSided } from '../analysis/scoring/ledger.ts';
import { lastBarEnd, type SessionPath } from '../analysis/scoring/session.ts';
import { MINUTE_MS, rowsBetween } from '../analysis/sessions.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantText, orNaN } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import type { MarketView } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { absent, defineBlock, type Known } from './block.ts';
import { ledgers, wireLedger } from './confluence-v5.ts';
import { gates } from './gates.ts';
import { gex } from './gex.ts';
import { halts } from './halts.ts';
import { momentum } from './momentum.ts';
import { orderFlow } from './order-flow.ts';
import { priceVolume } from './price-volume.ts';
import { pulseV5 } from './pulse-v5.ts';
import { scoreInputs, scoreState } from './score-inputs.ts';

const Gate = wire.record('EntryGate', 'One condition of an entry.', {
  gate: wire.string('Name of the gate.'),
  status: wire.oneOf(['passed', 'failed', 'unknown'], 'unknown: an input is missing.'),
  reason: wire.nullableString('Why, in a sentence that quotes its inputs.'),
});

const EntryV2 = wire.record(
  'EntryV2',
  'Timing of an intraday entry, with gates and the ledger of each side.',
  {
    bull: wire.nullableNumber('Equals bullish_entry_score.', wire.HUNDRED),
    bear: wire.nullableNumber('Equals bearish_entry_score.', wire.HUNDRED),
    net: wire.nullableNumber('Equals net_entry_score.', wire.SIGNED_HUNDRED),
    gates: wire.listOf(Gate, 'The gates, in order.'),
    ...ledgers,
    computed_at: wire.dateTime('When the scores were computed.'),
  },
);

const flat = {
  bullish_entry_score: wire.nullableNumber('Intraday timing of a long entry, 0-100.', wire.HUNDRED),
  bearish_entry_score: wire.nullableNumber('Intraday timing of a short entry, 0-100.', wire.HUNDRED),
  net_entry_score: wire.nullableNumber('Bullish minus bearish entry score, -100..+100.', wire.SIGNED_HUNDRED),
  entry_score_completeness: wire.nullableNumber(
    'Share of the score weight whose inputs are present, 0.0-1.0.',
    wire.FRACTION,
  ),
  entry_gates_passed: wire.nullableBoolean(
    'True when every entry gate passed, false when one failed; null when one could not be judged.',
  ),
  entry_failed_gates: wire.nullableListOf(wire.string('Gate.'), 'Names of failed gates.'),
  entry_gex_modifier: wire.nullableOneOf(
    ['long_gamma', 'short_gamma', ''],
    'Dealer gamma that shifted the weights, empty when it is neutral; null while it is unknown.',
  ),
  entry_score_computed_at: wire.nullableDateTime('When the entry scores were computed.'),
};

/**
 * Timing of an entry while the session runs; null before its first bar and after the close. Below half of the weights
 * the scores are null, the gates still judged.
 */
export const entryV2 = defineBlock({
  name: 'entry_v2',
  schema: EntryV2,
  flat,
  reads: [gates, gex, halts, momentum, orderFlow, priceVolume, pulseV5, scoreInputs],
  derive(view, known, market) {
    const { path } = scoreState(known);
    const instant = entryInstant(path);
    if (instant === null) return absent(flat);
    const inputs = entryInputs(path, instant, entryContext(view, known));
    const modifier = gammaModifier(known(gex).flat.gex_regime);
    const { bull, bear, net, weightAvailable } = twoSided(entryTable(inputs), entryWeights(modifier));
    const judged = entryGates(gateInputs(view, known, market, path));
    const computedAt = instantText(view.asOf);
    const scores = {
      bull: finiteOrNull(bull.score),
      bear: finiteOrNull(bear.score),
      net: finiteOrNull(net),
    };
    return {
      nested: withLate(
        {
          bull: scores.bull,
          bear: scores.bear,
          net: scores.net,
        },
        {
          gates: () => judged.map(({ gate, status, reason }) => ({ gate, status, reason: reason() })),
          bull_ledger: () => wireLedger(bull, 'bull', inputs, ENTRY_COMPONENTS),
          bear_ledger: () => wireLedger(bear, 'bear', inputs, ENTRY_COMPONENTS),
        },
        {
          formula_version: 'entry-v2',
          computed_at: computedAt,
        },
      ),
      flat: {
        bullish_entry_score: scores.bull,
        bearish_entry_score: scores.bear,
        net_entry_score: scores.net,
        entry_score_completeness: weightAvailable,
        entry_gates_passed: allGatesPassed(judged),
        entry_failed_gates: failedGates(judged),
        entry_gex_modifier: modifier,
        entry_score_computed_at: computedAt,
      },
    };
  },
});

const failedGates = (judged: readonly EntryGate[]): string[] =>
  judged.filter(({ status }) => status === 'failed').map(({ gate }) => gate);

/** Neutral gamma modifies nothing. */
function gammaModifier(regime: 'long_gamma' | 'short_gamma' | 'neutral' | null): GammaModifier | null {
  return regime === 'neutral' ? '' : regime;
}

const DIVERGENCE = { bullish_div: 1, bearish_div: -1, none: 0 } as const;

function entryContext(view: StockView, known: Known): EntryContext {
  const { cvd_divergence: divergence } = known(orderFlow).flat;
  const { pulse_bull: bull, pulse_bear: bear } = known(pulseV5).flat;
  return {
    recent_cvd_pct: recentCvdPct(view, known),
    cvd_divergence: divergence === null ? Number.NaN : DIVERGENCE[divergence],
    pulse_bull: orNaN(bull),
    pulse_bear: orNaN(bear),
  };
}

/** NaN without order flow, and when no print of the last 15 minutes has a side. */
function recentCvdPct({ flow, session, asOf }: StockView, known: Known): number {
  if (known(orderFlow).flat.cvd === null) return Number.NaN;
  const start = Math.max(session.open, asOf - RECENT_FLOW_MINUTES * MINUTE_MS);
  const { buy, sell } = flowSums(flow, rowsBetween(flow, start, session.close));
  return ((buy - sell) / (buy + sell)) * 100;
}

function gateInputs(view: StockView, known: Known, market: MarketView, path: SessionPath) {
  const { v44_intraday_circuit_breaker_gate_passed, all_quality_gates_passed } = known(gates).flat;
  return {
    asOf: view.asOf,
    session: view.session,
    averageShares: known(priceVolume).flat.adv30_shares,
    halted: known(halts).flat.halted,
    circuitBreakerPassed: v44_intraday_circuit_breaker_gate_passed,
    intradayReturnPct: known(momentum).flat.intraday_return_pct,
    indexReturn1dPct: market.index?.return1dPct ?? null,
    newestBarEnd: lastBarEnd(path, view.asOf),
    qualityPassed: all_quality_gates_passed,
  };
}
