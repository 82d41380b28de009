import { asOfParameter, tradeDate } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { NearestFlip, ScoreLedgerLine } from '../../blocks/confluence-v5.ts';
import { PEER_CONTRIBUTION, PEER_FIGURES, PEER_WINDOW } from '../../blocks/peer-divergence-v1.ts';
import { RecordBeside } from '../../blocks/record-beside.ts';
import { INCLUDE_FIELDS, SIMULATED } from '../../derive/compose.ts';
import { optional, parameters } from '../answers/parameters.ts';
import { SIGNALS } from '../diffusion/schema.ts';
import { RECORDS_WORD } from './chosen-parts.ts';
import { IMPORTABLE } from './import-next.ts';

const INCLUDE_WORDS = [...INCLUDE_FIELDS.keys(), RECORDS_WORD].sort();

const includeList = Type.String({
  maxLength: 500,
  wordList: INCLUDE_WORDS,
  description: `Comma-separated list of blocks to add; the others are null. With \`records\` each level of the ladder and each pattern has its record beside it. Words: ${INCLUDE_WORDS.join(', ')}.`,
  examples: ['levels,volume_profile'],
});

const FIELDS_MAX = 100;

const fieldList = Type.String({
  itemList: { maxItems: FIELDS_MAX, pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$' },
  maxLength: 5_000,
  description: `Comma-separated dotted paths of blocks, lists or single values, at most ${FIELDS_MAX}, e.g. \`last_price,technical.rsi_14,levels\`: only those are answered, with \`symbol\`, \`updated_at\` and \`as_of\`. Blocks of \`include\` are named like all others.`,
});

export const StockQuery = parameters(
  optional({
    date: tradeDate,
    as_of: asOfParameter,
    include: includeList,
    fields: fieldList,
  }),
);

export const PeersQuery = parameters(optional({ date: tradeDate, as_of: asOfParameter }));

const Peer = wire.record('Peer', 'A direct peer of a stock.', PEER_CONTRIBUTION);

export const PeersAnswer = wire.record(
  'Peers',
  'The peers of a stock and how its return compared with theirs on a completed session.',
  {
    symbol: wire.string('Ticker symbol.'),
    simulated: SIMULATED,
    trade_date: wire.string('The session whose returns are compared.'),
    ...PEER_WINDOW,
    ...PEER_FIGURES,
    composite: wire.number('Weighted divergence over the scales that had peers, in deviations.'),
    signal: wire.oneOf(SIGNALS, 'Bullish from a composite of 2 on, bearish from -2 on.'),
    weight_config: wire.string('The scales that had peers.'),
    peers: wire.listOf(Peer, 'Direct peers, heaviest first, at most 20.'),
  },
);

export const ExplainQuery = parameters({
  field: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[a-z0-9_]+(\\.[a-z0-9_]+)*$',
    description: 'Path of a single value of the stock detail.',
    examples: ['bullish_confluence'],
  }),
  ...optional({ date: tradeDate, as_of: asOfParameter }),
});

const value = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]);

const ExplainedInput = wire.record('ExplainedInput', 'An input of a score.', {
  name: wire.string('Name of the input.'),
  value,
  instant: wire.dateTime('Nothing newer went into it.'),
  source: wire.string('Where it comes from.'),
});

const { properties: lineFields } = ScoreLedgerLine;

const ExplainedLine = wire.record('ExplainedLine', 'A line of the ledger of a score.', {
  side: wire.oneOf(['bull', 'bear'], 'Side whose ledger it is of.'),
  ...lineFields,
});

const ImportNext = wire.record('ImportNext', 'A kind of data that lines of a ledger lack.', {
  data: wire.oneOf(IMPORTABLE, 'Kind of data.'),
  says: wire.string('What of it to import.'),
  wakes: wire.listOf(wire.string('Component of the ledger.'), 'Lines that it would wake.'),
});

const ExplainedFlip = wire.record(
  'ExplainedFlip',
  'The smallest change of a single input that would move a tier or the bias.',
  NearestFlip.properties,
);

const ExplainedRecord = wire.record(
  'ExplainedRecord',
  'How often such claims came true, and how often by chance.',
  RecordBeside.properties,
);

const Formula = wire.record('ExplainedFormula', 'How a field is computed.', {
  block: wire.string('Block of the answer that has it.'),
  version: wire.nullableString('Version of its formula, where it has one.'),
  describes: wire.string('What it says.'),
  document: wire.string('Page of the documentation with the formula.'),
});

export const Explanation = wire.record('Explanation', 'How a field of a stock came about.', {
  symbol: wire.string('Ticker symbol.'),
  field: wire.string('The field.'),
  trade_date: wire.date('Its session.'),
  as_of: wire.dateTime('Nothing counts that became known later.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'Market-data feed label of the caller.'),
  simulated: SIMULATED,
  value,
  null_reason: wire.nullableString(
    'Why the value is null: what it needs that is not there; null for a value.',
  ),
  unit: wire.nullableString('Unit of a number; null without one.'),
  formula: Formula,
  ledger: wire.listOf(
    ExplainedLine,
    'Lines whose contributions sum to the score of their side; empty without a ledger.',
  ),
  inputs: wire.listOf(ExplainedInput, 'Inputs of the lines, by name.'),
  import_next: wire.listOf(
    ImportNext,
    'What to import so that lines without data speak; what wakes most comes first.',
  ),
  nearest_flip: wire.nullable(ExplainedFlip),
  nearest_flip_says: wire.nullableString('It in plain words.'),
  record: wire.nullable(ExplainedRecord),
});
