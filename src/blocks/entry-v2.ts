import { flowRows, flowSums } from '../analysis/order-flow/flow-sums.ts';
import { allGatesPassed, type EntryGate, entryGates } from '../analysis/scoring/entry-gates.ts';
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
import { twoSided } from '../analysis/scoring/ledger.ts';
import { lastBarEnd, type SessionPath } from '../analysis/scoring/session.ts';
import { MINUTE_MS } from '../analysis/sessions.ts';
import {
  dateTime,
  listOf,
  nullableBoolean,
  nullableDateTime,
  nullableListOf,
  nullableNumber,
  nullableOneOf,
  nullableString,
  oneOf,
  record,
  string,
} from '../base/schema.ts';
import type { MarketView } from '../market/market-view.ts';
import type { StockView } from '../market/stock-view.ts';
import { defineBlock, type Known } from './block.ts';
import { gates } from './gates.ts';
import { gex } from './gex.ts';
import { halts } from './halts.ts';
import { momentum } from './momentum.ts';
import { orderFlow } from './order-flow.ts';
import { priceVolume } from './price-volume.ts';
import { pulseV5 } from './pulse-v5.ts';
import { orNaN, scoreInputs, scoreState } from './score-inputs.ts';
import { scoreLedger, wireLedger } from './score-ledger.ts';
import { absent, finiteOrNull } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };

const Gate = record('EntryGate', 'One condition of an entry.', {
  gate: string('Name of the gate.'),
  status: oneOf(['passed', 'failed', 'unknown'], 'unknown: an input is missing.'),
  reason: nullableString('Why, in a sentence that quotes its inputs.'),
});

const EntryV2 = record('EntryV2', 'Timing of an intraday entry, with gates and the ledger of each side.', {
  bull: nullableNumber('Equals bullish_entry_score.', HUNDRED),
  bear: nullableNumber('Equals bearish_entry_score.', HUNDRED),
  net: nullableNumber('Equals net_entry_score.', { minimum: -100, maximum: 100 }),
  gates: listOf(Gate, 'The gates, in order.'),
  bull_ledger: scoreLedger('Lines whose contributions sum to bull.'),
  bear_ledger: scoreLedger('Lines whose contributions sum to bear.'),
  formula_version: string('Version of the formula.'),
  computed_at: dateTime('When the scores were computed.'),
});

const flat = {
  bullish_entry_score: nullableNumber('Intraday timing of a long entry, 0-100.', HUNDRED),
  bearish_entry_score: nullableNumber('Intraday timing of a short entry, 0-100.', HUNDRED),
  net_entry_score: nullableNumber('Bullish minus bearish entry score, -100..+100.', {
    minimum: -100,
    maximum: 100,
  }),
  entry_score_completeness: nullableNumber('Share of the score weight whose inputs are present, 0.0-1.0.', {
    minimum: 0,
    maximum: 1,
  }),
  entry_gates_passed: nullableBoolean(
    'True when every entry gate passed, false when one failed; null when one could not be judged.',
  ),
  entry_failed_gates: nullableListOf(string('Gate.'), 'Names of failed gates.'),
  entry_gex_modifier: nullableOneOf(
    ['long_gamma', 'short_gamma', ''],
    'Dealer gamma that shifted the weights, empty when it is neutral; null while it is unknown.',
  ),
  entry_score_computed_at: nullableDateTime('When the entry scores were computed.'),
};

/**
 * Timing of an entry, while the session runs: before its first bar and from the close on there is nothing to enter.
 * Below half of the weights the scores are null; the gates are judged all the same.
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
    const computedAt = new Date(instant).toISOString();
    const scores = {
      bull: finiteOrNull(bull.score),
      bear: finiteOrNull(bear.score),
      net: finiteOrNull(net),
    };
    return {
      nested: {
        ...scores,
        gates: judged.map(({ gate, status, reason }) => ({ gate, status, reason })),
        bull_ledger: wireLedger(bull, 'bull', inputs, ENTRY_COMPONENTS),
        bear_ledger: wireLedger(bear, 'bear', inputs, ENTRY_COMPONENTS),
        formula_version: 'entry-v2',
        computed_at: computedAt,
      },
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

/** A neutral book modifies nothing. */
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

/** NaN where order flow is not known, and when no print of the last 15 minutes has a side. */
function recentCvdPct({ flow, session, asOf }: StockView, known: Known): number {
  if (known(orderFlow).flat.cvd === null) return Number.NaN;
  const start = Math.max(session.open, asOf - RECENT_FLOW_MINUTES * MINUTE_MS);
  const { buy, sell } = flowSums(flow, flowRows(flow, start, session.close));
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
