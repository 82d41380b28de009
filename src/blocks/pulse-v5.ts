import { cvdDrift, volumeDelta } from '../analysis/order-flow/cvd.ts';
import { twoSided } from '../analysis/scoring/ledger.ts';
import {
  PULSE_BIASES,
  PULSE_COMPONENTS,
  PULSE_WEIGHTS,
  type PulseFlow,
  pulseBias,
  pulseInputs,
  pulseInstant,
  pulseTable,
} from '../analysis/scoring/pulse.ts';
import { rowsBetween } from '../analysis/sessions.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantText, orNaN } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import type { StockView } from '../market/stock-view.ts';
import { absent, defineBlock, type Known } from './block.ts';
import { ledgers, weightAvailable, wireLedger } from './confluence-v5.ts';
import { orderFlow } from './order-flow.ts';
import { scoreInputs, scoreState } from './score-inputs.ts';

const PulseV5 = wire.record('PulseV5', 'Real-time intraday conviction with the ledger of each side.', {
  bull: wire.nullableNumber('Equals pulse_bull.', wire.HUNDRED),
  bear: wire.nullableNumber('Equals pulse_bear.', wire.HUNDRED),
  net: wire.nullableNumber('Equals pulse_net.', wire.SIGNED_HUNDRED),
  bias: wire.nullableOneOf(PULSE_BIASES, 'Equals pulse_bias.'),
  weight_available: weightAvailable,
  ...ledgers,
  computed_at: wire.dateTime('Equals pulse_computed_at.'),
});

const flat = {
  pulse_bull: wire.nullableNumber('Real-time intraday conviction of longs.', wire.HUNDRED),
  pulse_bear: wire.nullableNumber('Real-time intraday conviction of shorts.', wire.HUNDRED),
  pulse_net: wire.nullableNumber('pulse_bull minus pulse_bear.', wire.SIGNED_HUNDRED),
  pulse_bias: wire.nullableOneOf(
    PULSE_BIASES,
    'Band of pulse_net: STRONG from 60 points on, MOD from 25, else NEUTRAL.',
  ),
  pulse_computed_at: wire.nullableDateTime(
    'The instant that the pulse speaks for: now, or the close once the session is over.',
  ),
};

/**
 * One-sidedness of the session so far, from 09:35 on; after the close it keeps its last value. Below half of the
 * weights the ledgers have no scores.
 */
export const pulseV5 = defineBlock({
  name: 'pulse_v5',
  schema: PulseV5,
  flat,
  reads: [orderFlow, scoreInputs],
  derive(view, known) {
    const { path } = scoreState(known);
    const instant = pulseInstant(path);
    if (instant === null) return absent(flat);
    const inputs = pulseInputs(path, instant, flowSinceOpen(view, known));
    const { bull, bear, net, weightAvailable } = twoSided(pulseTable(inputs), PULSE_WEIGHTS);
    if (weightAvailable === 0) return absent(flat);
    const computedAt = instantText(instant);
    const pulse = {
      bull: finiteOrNull(bull.score),
      bear: finiteOrNull(bear.score),
      net: finiteOrNull(net),
      bias: pulseBias(net),
    };
    return {
      nested: withLate(
        {
          bull: pulse.bull,
          bear: pulse.bear,
          net: pulse.net,
          bias: pulse.bias,
          weight_available: weightAvailable,
        },
        {
          bull_ledger: () => wireLedger(bull, 'bull', inputs, PULSE_COMPONENTS),
          bear_ledger: () => wireLedger(bear, 'bear', inputs, PULSE_COMPONENTS),
        },
        {
          formula_version: 'pulse-v5',
          computed_at: computedAt,
        },
      ),
      flat: {
        pulse_bull: pulse.bull,
        pulse_bear: pulse.bear,
        pulse_net: pulse.net,
        pulse_bias: pulse.bias,
        pulse_computed_at: computedAt,
      },
    };
  },
});

/** Unknown with partial order flow. */
function flowSinceOpen({ flow, session }: StockView, known: Known): PulseFlow {
  const share = orNaN(known(orderFlow).flat.cvd_pct);
  if (Number.isNaN(share)) return { cvd_pct: Number.NaN, cvd_drift: Number.NaN };
  const delta = volumeDelta(flow, rowsBetween(flow, session.open, session.close));
  return { cvd_pct: share, cvd_drift: cvdDrift(delta) };
}
