import { conviction } from '../analysis/scoring/conviction.ts';
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
import { scoreInputs, scoreState } from './score-inputs.ts';
import { absent, finiteOrNull } from './wire.ts';

const ConvictionV5 = record(
  'ConvictionV5',
  'How the conviction of the canonical score moves through the session.',
  {
    current: nullableNumber(
      'Net canonical score at the end of the path: now, or the close once the session is over.',
      { minimum: -100, maximum: 100 },
    ),
    direction: nullableOneOf(
      ['bull', 'bear', 'mixed'],
      'The side that leads by the 10-point margin at the end of the path, else mixed.',
    ),
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
  conviction_v5_session_open: nullableNumber(
    'Net canonical score of the first instant of the session that has one, 09:35 at the earliest.',
  ),
  conviction_v5_lookback: nullableNumber('Net canonical score at the start of the lookback.'),
  conviction_v5_velocity: nullableNumber('Change of the net score per hour over the lookback.'),
  conviction_v5_stability: nullableNumber(
    '1 minus the population deviation of the net scores of the session over 25 points, at least 0.',
  ),
  conviction_v5_lookback_minutes: nullableInteger(
    'Length of the lookback, minutes: 60, less in the first hour.',
  ),
  conviction_v5_direction_minutes: nullableInteger(
    'Minutes since the first score of the unbroken run of the side that leads now.',
  ),
  conviction_v5_direction_flip: nullableBoolean('True when the leading side changed within the lookback.'),
  conviction_v5_delta_valid: nullableBoolean(
    'True when both ends of the lookback have a score whose newest bar ended at most 15 minutes before.',
  ),
};

const DIRECTION = { bullish: 'bull', bearish: 'bear', neutral: 'mixed' } as const;

/**
 * Movement of the conviction: the fast inputs are those of each instant, the others are held as they stand now. Null
 * before 09:35 and for a date without regular intraday bars.
 */
export const convictionV5 = defineBlock({
  name: 'conviction_v5',
  schema: ConvictionV5,
  flat,
  reads: [scoreInputs],
  derive(view, known) {
    const { inputs, table, path } = scoreState(known);
    const found = conviction(path, inputs, table);
    if (found === null) return absent(flat);
    return {
      nested: {
        current: found.current,
        direction: DIRECTION[found.direction],
        session_high: found.high,
        session_low: found.low,
        session_change: found.current - found.sessionOpen,
        observations: found.observations,
        formula_version: 'conviction-v5',
        computed_at: new Date(view.asOf).toISOString(),
      },
      flat: {
        conviction_v5_session_open: found.sessionOpen,
        conviction_v5_lookback: finiteOrNull(found.lookback),
        conviction_v5_velocity: finiteOrNull(found.velocity),
        conviction_v5_stability: finiteOrNull(found.stability),
        conviction_v5_lookback_minutes: Math.floor(found.lookbackMinutes),
        conviction_v5_direction_minutes: found.directionMinutes,
        conviction_v5_direction_flip: found.directionFlip,
        conviction_v5_delta_valid: found.deltaValid,
      },
    };
  },
});
