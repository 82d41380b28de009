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
import { defineBlock } from './block.ts';
import { scoreLedger } from './score-ledger.ts';
import { absent } from './wire.ts';

const HUNDRED = { minimum: 0, maximum: 100 };

const EntryGate = record('EntryGate', 'One condition of an entry.', {
  gate: string('Name of the gate.'),
  status: oneOf(['passed', 'failed', 'unknown'], 'unknown: an input is missing.'),
  reason: nullableString('Why, in a sentence that quotes its inputs.'),
});

const EntryV2 = record('EntryV2', 'Timing of an intraday entry, with gates and the ledger of each side.', {
  bull: nullableNumber('Equals bullish_entry_score.', HUNDRED),
  bear: nullableNumber('Equals bearish_entry_score.', HUNDRED),
  net: nullableNumber('Equals net_entry_score.', { minimum: -100, maximum: 100 }),
  gates: listOf(EntryGate, 'The gates, in order.'),
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
  entry_gates_passed: nullableBoolean('True when every entry gate passed.'),
  entry_failed_gates: nullableListOf(string('Gate.'), 'Names of failed gates.'),
  entry_gex_modifier: nullableOneOf(
    ['long_gamma', 'short_gamma', ''],
    'Dealer gamma that modified the score, or empty.',
  ),
  entry_score_computed_at: nullableDateTime('When the entry scores were computed.'),
};

/** Timing of an entry. Not derived yet. */
export const entryV2 = defineBlock({
  name: 'entry_v2',
  schema: EntryV2,
  flat,
  reads: [],
  derive: () => absent(flat),
});
