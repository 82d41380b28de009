import {
  dateTime,
  nullableBoolean,
  nullableInteger,
  nullableNumber,
  nullableOneOf,
  record,
  string,
} from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const ConvictionV5 = record(
  'ConvictionV5',
  'How the conviction of the canonical score moves through the session.',
  {
    current: nullableNumber('Net canonical score now.', { minimum: -100, maximum: 100 }),
    direction: nullableOneOf(['bull', 'bear', 'mixed'], 'The side that leads now.'),
    session_high: nullableNumber('Highest net score of the session.', { minimum: -100, maximum: 100 }),
    session_low: nullableNumber('Lowest net score of the session.', { minimum: -100, maximum: 100 }),
    session_change: nullableNumber('Change of the net score since the open.', {
      minimum: -200,
      maximum: 200,
    }),
    observations: nullableInteger('Scores of the session that the figures rest on.', { minimum: 0 }),
    formula_version: string('Version of the formula.'),
    computed_at: dateTime('When it was computed.'),
  },
);

const flat = {
  conviction_v5_session_open: nullableNumber('Net canonical score at the first computation of the session.'),
  conviction_v5_lookback: nullableNumber('Net canonical score at the start of the lookback.'),
  conviction_v5_velocity: nullableNumber('Change of the net score per hour over the lookback.'),
  conviction_v5_stability: nullableNumber('1 minus the deviation of the net score over its range, 0-1.'),
  conviction_v5_lookback_minutes: nullableInteger('Length of the lookback, minutes.'),
  conviction_v5_direction_minutes: nullableInteger('Minutes since the leading side last changed.'),
  conviction_v5_direction_flip: nullableBoolean('True when the leading side changed within the lookback.'),
  conviction_v5_delta_valid: nullableBoolean('True when both ends of the lookback have a fresh score.'),
};

/** Movement of the conviction. Not derived yet. */
export const convictionV5 = defineBlock({
  name: 'conviction_v5',
  schema: ConvictionV5,
  flat,
  reads: [],
  derive: () => absent(flat),
});
