import { MAXIMUM } from '../analysis/scoring/components.ts';
import { type HealthLine, momentumHealth } from '../analysis/scoring/momentum-health.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantText } from '../base/wire.ts';
import { withLate } from '../base/with-late.ts';
import { nestedBlock } from './block.ts';
import { scoreLedger } from './confluence-v5.ts';
import { type ScoreState, scoreInputs, scoreState } from './score-inputs.ts';

const MomentumHealthV5 = wire.record(
  'MomentumHealthV5',
  'Whether the momentum of the stock is sound or tiring.',
  {
    score: wire.nullableNumber('Health of the momentum.', wire.HUNDRED),
    state: wire.nullableOneOf(['healthy', 'extended', 'fading', 'exhausted', 'absent'], 'Band of the score.'),
    direction: wire.nullableOneOf(['up', 'down', 'flat'], 'Direction of the momentum.'),
    distance_sma20_atr: wire.nullableNumber('Distance of price from SMA20 in daily ATR(14); positive above.'),
    momentum_acceleration: wire.nullableNumber('20-day return minus a third of the 60-day return, percent.'),
    ledger: scoreLedger('the score'),
    formula_version: wire.string('Version of the formula.'),
    computed_at: wire.dateTime('When the score was computed.'),
  },
);

/** Null while `momentum_blend` is unknown. */
export const momentumHealthV5 = nestedBlock({
  name: 'momentum_health_v5',
  schema: MomentumHealthV5,
  reads: [scoreInputs],
  derive(view, known) {
    const state = scoreState(known);
    const inputs = healthInputs(state);
    const health = momentumHealth(inputs);
    if (health.direction === null) return null;
    return withLate(
      {
        score: finiteOrNull(health.score),
        state: health.state,
        direction: health.direction,
        distance_sma20_atr: finiteOrNull(inputs.sma20Atr),
        momentum_acceleration: finiteOrNull(inputs.acceleration),
      },
      {
        ledger: () => health.lines.map((line) => wireLine(line, state)),
      },
      {
        formula_version: 'momentum-health-v5',
        computed_at: instantText(view.asOf),
      },
    );
  },
});

function healthInputs({ inputs, daily }: ScoreState) {
  return {
    blend: inputs.momentum_blend,
    acceleration: daily.acceleration,
    sma20Atr: inputs.sma20_atr,
    rsi: inputs.rsi_14,
    upVolumeShare: inputs.up_volume_share,
  };
}

/** The wire name of each part's input. */
const INPUT_OF = {
  pace: 'momentum_blend',
  acceleration: 'momentum_acceleration',
  room: 'distance_sma20_atr',
  rsi_room: 'rsi_14',
  participation: 'up_volume_share',
} as const;

function wireLine({ part, score, weight, contribution }: HealthLine, { inputs, daily }: ScoreState) {
  const values = {
    ...inputs,
    momentum_acceleration: daily.acceleration,
    distance_sma20_atr: inputs.sma20_atr,
  };
  const name = INPUT_OF[part];
  const missing = Number.isNaN(score);
  return {
    component: part,
    inputs: { [name]: finiteOrNull(values[name]) },
    score: finiteOrNull(score),
    maximum: MAXIMUM,
    weight,
    contribution,
    status: missing ? ('missing' as const) : ('scored' as const),
    note: missing ? `without ${name}` : null,
  };
}
