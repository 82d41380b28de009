import type { Static } from 'typebox';
import { VERDICTS } from '../../analysis/records/verdicts.ts';
import { asOfParameter, stockSymbol, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { CLAIM_KINDS } from '../../records/index.ts';
import { DATE_REGIMES, DAY_REGIMES } from '../../records/regimes.ts';
import { marketParameter, optional, parameters } from '../answers/parameters.ts';

export { CLAIM_KINDS, type ClaimKind } from '../../records/index.ts';

const WORD = { minLength: 1, maxLength: 80, pattern: '^[a-z0-9_.A-Z]+$' };

const filters = {
  symbol: stockSymbol,
  from: Type.String({
    pattern: '^(19|20)\\d{2}-\\d{2}-\\d{2}$',
    existingDate: true,
    description: 'First trade date of the events, YYYY-MM-DD. Default: all.',
  }),
  to: Type.String({
    pattern: '^(19|20)\\d{2}-\\d{2}-\\d{2}$',
    existingDate: true,
    description: 'Last trade date of the events, YYYY-MM-DD. Default: all.',
  }),
  market: marketParameter,
  as_of: asOfParameter,
};

export const RecordsQuery = parameters(
  optional({
    kind: wire.oneOf(CLAIM_KINDS, 'Kind of claim. Default: all.'),
    key: Type.String({
      ...WORD,
      description:
        'Family of a level, type of a pattern, score or divergence with its sessions, timeframe and direction of an expiration, e.g. `prior_day`, `swing.bullish`.',
    }),
    regime: Type.String({
      ...WORD,
      description: `Regime before the open, of the volatility index or of the dealers' gamma of the index: ${DATE_REGIMES.join(', ')}; of levels and playbooks also the kind of day that it had been before the claim: ${DAY_REGIMES.join(', ')}. Default: all.`,
      examples: ['NORMAL'],
    }),
    ...filters,
  }),
);

export const EVENTS_LIMIT = { minimum: 1, maximum: 1_000, byDefault: 100 };
const OUTCOMES = ['all', 'true', 'false'] as const;

export const RecordPath = parameters({
  id: Type.String({ ...WORD, description: '`id` of a record, e.g. `level.prior_day`.' }),
});

export const EventsQuery = parameters(
  optional({
    outcome: wire.oneOf(OUTCOMES, '`true`, `false`, or all. Default: all.'),
    limit: wholeNumber('Events at most', EVENTS_LIMIT),
    cursor: Type.String({
      maxLength: 200,
      description: '`next_cursor` of the page before, with the same query.',
    }),
    ...filters,
  }),
);

const share = (description: string) => wire.nullableNumber(description, wire.FRACTION);
const counted = (description: string) => wire.integer(description, wire.NOT_NEGATIVE);

const counts = {
  n: counted('Claims that came true or did not.'),
  dates: counted('Trade dates with such a claim.'),
  true: counted('Claims that came true.'),
  undecided: counted('Claims that were open at the close, or could not be judged.'),
  gap: counted('Claims that a hole of five minutes in the bars left undecided.'),
  gone: counted('Claims of stocks that left meanwhile; their last price decided where it could.'),
  ambiguous: counted('Claims of which one bar went both ways; they count as false.'),
  controls: counted('What the claims are compared with: the same rule where nothing was claimed.'),
  rate: share('Share that came true; null with too few.'),
  low: share('Lower limit of its 95 % interval over dates.'),
  high: share('Upper limit of its 95 % interval over dates.'),
  chance: share('Share of the controls that came true; null with too few, and then no rate either.'),
};

const Since = wire.record('RecordSince', 'The part of a record since its rule was released.', counts);

const Reliability = wire.record(
  'RecordReliability',
  'A score from 0 to 100 read as the probability that a stock beats the median of its date (bearish_confluence: falls behind it), against how many did. Null of other scores, with fewer stock-dates, and where some symbols alone are counted.',
  {
    n: counted('Stock-dates with a score and a later return; 200 at least.'),
    miscalibration: wire.number(
      'What the Brier score would lose if each score said what came; 0 of a probability.',
    ),
    discrimination: wire.number(
      'What it would then lose against one probability for all; 0 where the score tells nothing.',
    ),
    uncertainty: wire.number(
      'The Brier score of one probability for all; that of the score is this, plus miscalibration, less discrimination.',
    ),
    bins: wire.listOf(
      wire.record('ReliabilityBin', 'Scores within five points.', {
        forecast: wire.number('Mean score as a probability.', wire.FRACTION),
        observed: wire.number('Share that beat the median.', wire.FRACTION),
        n: counted('Stock-dates.'),
      }),
      'Ascending; those without a stock are left out.',
    ),
  },
);

const ClaimRecord = wire.record(
  'ClaimRecord',
  'How often what is claimed came true, and how often by chance.',
  {
    id: wire.string('Names the record.'),
    kind: wire.oneOf(CLAIM_KINDS, 'Kind of claim.'),
    key: wire.string(
      'Family of a level, type of a pattern, playbook, score or divergence with its sessions, timeframe and direction of an expiration.',
    ),
    regime: wire.nullableString('Regime that was asked for; null for all.'),
    horizon_sessions: counted('Sessions within which a claim has to come true; 0 within its own.'),
    ...counts,
    edge: wire.nullableNumber('Rate less chance, among like claims.', { minimum: -1, maximum: 1 }),
    edge_low: wire.nullableNumber('Lower limit of its 95 % interval.'),
    edge_high: wire.nullableNumber('Upper limit of its 95 % interval.'),
    correlation: wire.nullableNumber(
      'Of a score: mean over dates of its rank correlation with the later returns.',
    ),
    correlation_low: wire.nullableNumber('Lower limit of its 95 % interval.'),
    correlation_high: wire.nullableNumber('Upper limit of its 95 % interval.'),
    mean_r: wire.nullableNumber('Of a playbook: mean R of its trades after costs.'),
    mean_r_low: wire.nullableNumber('Lower limit of its 95 % interval.'),
    mean_r_high: wire.nullableNumber('Upper limit of its 95 % interval.'),
    chance_r: wire.nullableNumber('Mean R of the trades that they are compared with.'),
    reliability: wire.nullable(Reliability),
    shared_with: wire.listOf(
      wire.record('SharedTouches', 'A family of levels at the same prices.', {
        key: wire.string('The other family.'),
        share: wire.number('Share of the touches that were touches of the other family too.', wire.FRACTION),
      }),
      'Of levels: families of which a level within 0.1 ATR was touched meanwhile, by a fifth of these touches or more, the greatest share first: an edge of one is then in part that of the other.',
    ),
    tested: counted('Records of the kind that were tested for an edge together.'),
    q: share(
      'Least share of false calls among all that are called, on either side, at which this one is called on the side of its edge; null where it is not tested.',
    ),
    verdict: wire.oneOf(
      VERDICTS,
      'edge_shown: an edge above one point at a share of false calls of 0.1; worse_than_chance: the same below minus one point; neither where the interval of the edge holds 0; explored: the caller chose the claims.',
    ),
    simulated: wire.flag('True for claims of the simulated market: no evidence about any other.'),
    formula_version: counted('Version of the rule; another one begins from nothing.'),
    released_at: wire.date('Dates from here on were not known to those who wrote the rule.'),
    since: Since,
    says: wire.string('The record in a sentence.'),
  },
);

const BestRecord = wire.record(
  'BestRecord',
  'The record of a kind with the greatest edge in units of its error, and what that says among so many.',
  {
    kind: wire.oneOf(CLAIM_KINDS, 'Kind of claim.'),
    key: wire.string('Key of the record.'),
    edge: wire.number('Rate less chance, among like claims.'),
    p: wire.number(
      'How often the best of as many without any edge, a point at most, looks as good: Hansen, superior predictive ability, 999 draws of dates.',
      wire.FRACTION,
    ),
    of: counted('Records of the kind that were tested together.'),
    simulated: wire.flag('True for claims of the simulated market: no evidence about any other.'),
    says: wire.string('The same in a sentence.'),
  },
);

export const RecordsAnswer = wire.record('Records', 'Records of claims.', {
  as_of: wire.dateTime('Claims that ended later do not count.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'Market-data feed label of the caller.'),
  simulated: SIMULATED,
  records: wire.listOf(ClaimRecord, 'By kind, then by key.'),
  best: wire.listOf(BestRecord, 'Of each kind with tested records the best; none of what the caller chose.'),
});
export type RecordsAnswer = Readonly<Static<typeof RecordsAnswer>>;

const Event = wire.record('ClaimEvent', 'A claim that met its condition, and what became of it.', {
  symbol: wire.string('Ticker symbol.'),
  trade_date: wire.date('Its trade date.'),
  claim: wire.string('What was claimed: name of a level, swings of a pattern, score, date of an expiration.'),
  begun_at: wire.dateTime('When it met its condition: the end of the bar.'),
  decided_at: wire.nullableDateTime(
    'When it was decided; null while it is open, and where it stayed undecided.',
  ),
  direction: wire.oneOf(
    ['up', 'down'],
    'Of a level: the side that price came from is above (up) or below (down); else the side of the claim.',
  ),
  price: wire.nullableNumber(
    'The level, the close that confirmed the pattern, or the price that the stock had to pass, USD as traded then; null without one.',
  ),
  outcome: wire.oneOf(['true', 'false', 'undecided', 'gap', 'open'], 'What became of it.'),
  gone: wire.flag('True where the stock left before the end.'),
  ambiguous: wire.flag('True where one bar went both ways.'),
  chance: share('Share of its own controls that came true; null where controls are of all dates.'),
  r: wire.nullableNumber('R of the trade of a playbook after costs; null for claims without a trade.'),
});

export const EventsAnswer = wire.record('ClaimEvents', 'Claims of one record, the newest first.', {
  id: wire.string('Record.'),
  as_of: wire.dateTime('Nothing counts that became known later.'),
  simulated: SIMULATED,
  next_cursor: wire.nullableString('Leads to older claims; null on the last page.'),
  events: wire.listOf(Event, 'The claims.'),
});
export type EventsAnswer = Readonly<Static<typeof EventsAnswer>>;

export const RecordBuildAnswer = wire.record('RecordBuild', 'The count of what became of past claims.', {
  state: wire.oneOf(
    ['idle', 'building', 'built', 'failed'],
    'Whether past sessions are being counted, or what the last count of this process came to.',
  ),
  share_done: wire.nullableNumber(
    'Share of the sessions that is counted; null before the first, and in the other states.',
    wire.FRACTION,
  ),
});
export type RecordBuildAnswer = Readonly<Static<typeof RecordBuildAnswer>>;
