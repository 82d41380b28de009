import type { TSchema } from 'typebox';
import { CHANNEL_NAMES, CHANNELS } from '../../alerts/channels/index.ts';
import { ALERT_KINDS, KIND_NAMES } from '../../alerts/kinds/index.ts';
import { REPEATS } from '../../alerts/rule.ts';
import { asOfParameter, isoDate, stockSymbol, wholeNumber } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { HOURS } from '../../derive/moments.ts';
import { optional, parameters } from '../answers/parameters.ts';

/** Rules of one owner. */
export const ALERTS_MAX = 500;
/** Stocks that a rule names. */
export const SYMBOLS_MAX = 100;
export const ALERT_BODY_BYTES = 262_144;
export const FIRINGS_MAX = 500;
/** Receivers of one owner, and deliveries of a day to one of them. */
export const RECEIVERS_MAX = 20;
export const PER_DAY = { minimum: 1, maximum: 1_000, byDefault: 100 };
/** Sessions of a preview of one stock. */
export const PREVIEW_SESSIONS = 20;

const ID = Type.String({
  pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
  description: 'Identifier.',
  examples: ['0b0d8f5e-6b0c-4c43-9a39-2f5f0a4b8a11'],
});

export const IdPath = parameters({ id: ID });
export const AsOfQuery = parameters(optional({ as_of: asOfParameter }));

const anything = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    additionalProperties: true,
    description,
  } as TSchema);

const id = wire.string('Identifier.');
const symbol = wire.string('Ticker symbol.');
const body = { additionalProperties: false };

const byKind = ALERT_KINDS.map(
  ({ name, example }) => `${name}: \`${JSON.stringify(example).replaceAll('"', "'")}\``,
).join('; ');

/** What bodies and answers say of a rule alike. */
const RULE = {
  kind: Type.Enum(KIND_NAMES, { description: 'What it waits for; `GET /alerts/kinds` says more of each.' }),
  parameters: anything(`Parameters of the kind, such as of ${byKind}.`),
};
const HOW = {
  hours: wire.withDefault(
    wire.oneOf(
      HOURS,
      'Which minutes count: those of the regular session, or all from 04:00 to 20:00 with `all`.',
    ),
    'regular',
  ),
  repeat: wire.withDefault(wire.oneOf(REPEATS, 'How often it fires for a stock.'), 'daily'),
};

const content = {
  ...RULE,
  ...optional({
    ...HOW,
    symbols: Type.Array(stockSymbol, {
      // What is longer is refused with a sentence.
      maxItems: 20_000,
      description: `Stocks that it watches, at most ${SYMBOLS_MAX}; only a screen may leave them out, for all of the market.`,
    }),
  }),
};

export const PreviewBody = Type.Object(content, body);

export const AlertBody = Type.Object(
  {
    ...content,
    ...optional({
      receivers: Type.Array(ID, {
        maxItems: RECEIVERS_MAX,
        description: 'Receivers by their identifiers; left out, all of yours.',
      }),
      paused: wire.flag('A paused one is kept and not judged.'),
      anyway: wire.flag('Keeps a rule that the preview says can never fire, or fires nearly each minute.'),
    }),
  },
  body,
);

export const FiringsQuery = parameters(
  optional({
    alert: ID,
    symbol: stockSymbol,
    date: isoDate,
    as_of: asOfParameter,
    limit: wholeNumber('Firings at most', { minimum: 1, maximum: FIRINGS_MAX, byDefault: 100 }),
  }),
);

const NOTE = wire.record('AlertNote', 'Something said at an instant.', {
  at: wire.dateTime('When.'),
  says: wire.string('A sentence.'),
});

const ALERT_STATES = ['armed', 'paused', 'done', 'stopped'] as const;

export const AlertAnswer = wire.record('Alert', 'A rule of its owner.', {
  id,
  sentence: wire.string('The rule as it is said.'),
  ...RULE,
  ...HOW,
  symbols: wire.nullable(wire.listOf(symbol, 'Stocks that it watches; null for all.')),
  receivers: wire.nullable(wire.listOf(id, 'Receivers; null for all of the owner.')),
  simulated: wire.flag('True for stocks of the simulated market.'),
  state: wire.oneOf(
    ALERT_STATES,
    'armed; paused by its owner; done, once it has fired for each of its stocks; stopped, where its grant has ended.',
  ),
  fired: wire.integer('How often it has fired.', wire.NOT_NEGATIVE),
  last_fired_at: wire.nullableDateTime('When it last fired.'),
  notes: wire.listOf(NOTE, 'What went wrong or was left out, oldest first.'),
  created_at: wire.dateTime('When it was made.'),
  changed_at: wire.dateTime('When it was last written.'),
});

export const AlertsAnswer = wire.record('Alerts', 'The rules of a caller, oldest first.', {
  alerts: wire.listOf(AlertAnswer, 'Oldest first.'),
});

const FIRED = {
  symbol,
  trade_date: wire.date('Trade date.'),
  at: wire.dateTime('End of the minute that it is of.'),
  price: wire.nullableNumber('Price then, USD; null before the first trade.'),
  says: wire.string('What happened.'),
};

const DELIVERY = wire.record('AlertDelivery', 'What became of a firing on its way to a receiver.', {
  receiver: id,
  channel: wire.string('How it is told.'),
  state: wire.oneOf(
    ['waiting', 'delivered', 'failed', 'held'],
    'held: not sent, for a reason that the log names.',
  ),
  log: wire.listOf(NOTE, 'What was tried, oldest first.'),
});

export const FiringsAnswer = wire.record('AlertFirings', 'What alerts of a caller fired, newest first.', {
  as_of: wire.dateTime('Nothing newer is here.'),
  firings: wire.listOf(
    wire.record('AlertFiring', 'An alert that fired.', {
      id: wire.string('Follows from alert, stock, trade date and minute; the `webhook-id` of its delivery.'),
      alert: wire.string('Identifier of the alert, which may be gone.'),
      sentence: wire.string('The alert as it read then.'),
      ...FIRED,
      deliveries: wire.nullable(
        wire.listOf(DELIVERY, 'By receiver; null with `as_of`, since they are of the time of day.'),
      ),
    }),
    'Newest first.',
  ),
});

const VERDICTS = ['fires', 'quiet', 'never', 'often'] as const;

export const PreviewAnswer = wire.record('AlertPreview', 'What a rule would have fired.', {
  sentence: wire.string('The rule as it is said.'),
  as_of: wire.dateTime('Nothing newer was judged.'),
  sessions: wire.integer('Sessions that were judged.', wire.NOT_NEGATIVE),
  from: wire.nullableDate('The first of them.'),
  to: wire.nullableDate('The last.'),
  symbols: wire.listOf(symbol, 'Stocks that were judged.'),
  stocks: wire.integer('Stocks that the rule watches.', wire.NOT_NEGATIVE),
  fired: wire.integer('How often it would have fired.', wire.NOT_NEGATIVE),
  firings: wire.listOf(
    wire.record('AlertPreviewFiring', 'It would have fired.', FIRED),
    `When, newest first, ${FIRINGS_MAX} at most.`,
  ),
  verdict: wire.oneOf(VERDICTS, 'never and often are refused unless the rule is sent with `anyway`.'),
  says: wire.string('The same in a sentence.'),
});

const PHRASE = wire.record('AlertPhrase', 'Words that ask for a kind, after the name of the stock.', {
  pattern: wire.string(
    'Regular expression, capitals or not, whose named groups are parameters: a number or a field in words of the screener, `comparison` a whole condition of it.',
  ),
  words: wire.mapOf(wire.string('Parameter.'), 'Parameters that words stand for.'),
  example: wire.string('What it reads.'),
});

export const KindsAnswer = wire.record('AlertKinds', 'What alerts wait for.', {
  kinds: wire.listOf(
    wire.record('AlertKindOf', 'A kind of alert.', {
      name: wire.string('As in a rule.'),
      title: wire.string('What the stock does.'),
      description: wire.string('When it fires.'),
      parameters: anything('JSON Schema of its parameters.'),
      example: anything('Parameters.'),
      of_market: wire.flag('Whether it may watch every stock of the market.'),
      phrases: wire.listOf(PHRASE, 'The first that fits is meant; those with `comparison` come last.'),
    }),
    'In the order of the form.',
  ),
});

export const RemovedAlert = wire.record('RemovedAlert', 'Something that is gone.', { id });

const CLOCK = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  examples: ['22:00'],
  description: 'HH:MM.',
});

/** What bodies and answers say of a receiver alike. */
const RECEIVER = {
  channel: wire.oneOf(CHANNEL_NAMES, 'How it is told.'),
  address: Type.String({
    minLength: 1,
    maxLength: 1_000,
    description: `Of ${Object.values(CHANNELS)
      .map(({ address }) => address)
      .join(', of ')}.`,
    examples: ['https://alerts.example/hook'],
  }),
};
const QUIET = wire.record('QuietHours', 'Hours of the day in which nothing is sent; it comes after them.', {
  from: CLOCK,
  to: CLOCK,
  time_zone: Type.String({
    maxLength: 60,
    description: 'IANA name.',
    examples: ['America/New_York'],
  }),
});
const perDay = Type.Integer({
  minimum: PER_DAY.minimum,
  maximum: PER_DAY.maximum,
  default: PER_DAY.byDefault,
  description: 'Deliveries of a day of UTC; more are held back, and said to be.',
});
const KEY = Type.String({ maxLength: 100, pattern: '^[\\w-]+$', description: 'base64url.' });

export const ReceiverBody = Type.Object(
  {
    ...RECEIVER,
    ...optional({
      keys: Type.Object(
        { p256dh: KEY, auth: KEY },
        { ...body, description: 'Of the subscription of a browser; left out, those that are kept of it.' },
      ),
      quiet: QUIET,
      per_day: perDay,
    }),
  },
  body,
);

export const ReceiverAnswer = wire.record('AlertReceiver', 'Where alerts go.', {
  id,
  ...RECEIVER,
  secret: wire.nullableString('Key of the signatures of a webhook, shown when it is made and never again.'),
  quiet: wire.nullable(QUIET),
  per_day: perDay,
  failures: wire.integer('Attempts that failed in a row.', wire.NOT_NEGATIVE),
  disabled: wire.nullableString('Why nothing is sent any more; a test that arrives enables it again.'),
  created_at: wire.dateTime('When it was made.'),
});

export const ReceiversAnswer = wire.record('AlertReceivers', 'Where alerts of a caller go.', {
  push_key: wire.string('Public key with which a browser subscribes (`applicationServerKey`).'),
  receivers: wire.listOf(ReceiverAnswer, 'Oldest first.'),
});

export const TestedAnswer = wire.record('TestedReceiver', 'What became of a test.', {
  delivered: wire.flag('Whether it arrived.'),
  says: wire.string('A sentence.'),
});
