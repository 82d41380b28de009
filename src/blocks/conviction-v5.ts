import { conviction } from '../analysis/scoring/conviction.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull, instantText } from '../base/wire.ts';
import { absent, defineBlock } from './block.ts';
import { scoreInputs, scoreState } from './score-inputs.ts';

const ConvictionV5 = wire.record(
  'ConvictionV5',
  'How the conviction of the canonical score moves through the session.',
  {
    current: wire.nullableNumber(
      'Net canonical score at the end of the path: now, or the close once the session is over.',
      wire.SIGNED_HUNDRED,
    ),
    direction: wire.nullableOneOf(
      ['bull', 'bear', 'mixed'],
      'The side that leads by the 10-point margin at the end of the path, else mixed.',
    ),
    session_high: wire.nullableNumber('Highest net score of the session.', wire.SIGNED_HUNDRED),
    session_low: wire.nullableNumber('Lowest net score of the session.', wire.SIGNED_HUNDRED),
    session_change: wire.nullableNumber('Change of the net score since the open.', {
      minimum: -200,
      maximum: 200,
    }),
    observations: wire.nullableInteger('Scores of the session that the figures rest on.', wire.NOT_NEGATIVE),
    formula_version: wire.string('Version of the formula.'),
    computed_at: wire.dateTime('When it was computed.'),
  },
);

const flat = {
  conviction_v5_session_open: wire.nullableNumber(
    'Net canonical score of the first instant of the session that has one, 09:35 at the earliest.',
  ),
  conviction_v5_lookback: wire.nullableNumber('Net canonical score at the start of the lookback.'),
  conviction_v5_velocity: wire.nullableNumber('Change of the net score per hour over the lookback.'),
  conviction_v5_stability: wire.nullableNumber(
    '1 minus the population deviation of the net scores of the session over 25 points, at least 0.',
  ),
  conviction_v5_lookback_minutes: wire.nullableInteger(
    'Length of the lookback, minutes: 60, less in the first hour.',
  ),
  conviction_v5_direction_minutes: wire.nullableInteger(
    'Minutes since the first score of the unbroken run of the side that leads now.',
  ),
  conviction_v5_direction_flip: wire.nullableBoolean(
    'True when the leading side changed within the lookback.',
  ),
  conviction_v5_delta_valid: wire.nullableBoolean(
    'True when both ends of the lookback have a score whose newest bar ended at most 15 minutes before.',
  ),
};

const DIRECTION = { bullish: 'bull', bearish: 'bear', neutral: 'mixed' } as const;

/** Fast inputs at each instant, others as they are now. Null before 09:35 and without regular intraday bars. */
export const convictionV5 = defineBlock({
  name: 'conviction_v5',
  schema: ConvictionV5,
  flat,
  reads: [scoreInputs],
  derive(view, known) {
    const { inputs, table, path } = scoreState(known);
    const movement = conviction(path, inputs, table);
    if (movement === null) return absent(flat);
    return {
      nested: {
        current: movement.current,
        direction: DIRECTION[movement.direction],
        session_high: movement.high,
        session_low: movement.low,
        session_change: movement.current - movement.sessionOpen,
        observations: movement.observations,
        formula_version: 'conviction-v5',
        computed_at: instantText(view.asOf),
      },
      flat: {
        conviction_v5_session_open: movement.sessionOpen,
        conviction_v5_lookback: finiteOrNull(movement.lookback),
        conviction_v5_velocity: finiteOrNull(movement.velocity),
        conviction_v5_stability: finiteOrNull(movement.stability),
        conviction_v5_lookback_minutes: Math.floor(movement.lookbackMinutes),
        conviction_v5_direction_minutes: movement.directionMinutes,
        conviction_v5_direction_flip: movement.directionFlip,
        conviction_v5_delta_valid: movement.deltaValid,
      },
    };
  },
});
