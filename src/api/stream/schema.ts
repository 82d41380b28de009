import { Type } from 'typebox';
import { stockSymbols } from '../../base/parameters.ts';
import {
  dateTime,
  nullableInteger,
  nullableOneOf,
  nullableString,
  oneOf,
  string,
} from '../../base/schema.ts';
import { STREAM_SYMBOLS_MAX } from './watch-stocks.ts';

/** What the events of a stream carry in their data, for OpenAPI. */

const head = {
  seq: Type.Integer({
    description: 'Grows with everything that is told on a feed; gaps in it are of other symbols.',
  }),
  symbol: string('Ticker symbol.'),
  trade_date: Type.String({ format: 'date', description: 'Trade date of the state.' }),
  as_of: dateTime('Instant that the state speaks for.'),
};

const StreamSnapshot = Type.Object(
  {
    ...head,
    stock: Type.Object(
      {},
      { description: 'The StockResult that stock detail serves at this instant, without includes.' },
    ),
  },
  { title: 'StreamSnapshot', description: 'Event `snapshot`: the whole stock.' },
);

const StreamChange = Type.Object(
  {
    ...head,
    changed: Type.Object(
      {},
      {
        description: 'The top-level fields of StockResult that are another than before; nested blocks whole.',
      },
    ),
  },
  { title: 'StreamChange', description: 'Event `change`: what is another than before.' },
);

const evidence = (when: string) =>
  Type.Object({}, { description: `The values ${when}, by the names of their fields.` });

const StreamEvent = Type.Object(
  {
    ...head,
    before_as_of: dateTime('Instant of the state that `before` is of; `as_of` is that of `after`.'),
    type: oneOf(
      ['level_broken', 'orb_broken', 'orb_failed', 'tier_crossed', 'bias_changed', 'halted', 'resumed'],
      'What happened.',
    ),
    subject: nullableString('The level, opening range or field; null for the stock itself.'),
    direction: nullableOneOf(['up', 'down'], 'Which way; null where it has none.'),
    before: evidence('before'),
    after: evidence('after'),
  },
  { title: 'StreamEvent', description: 'Event `event`: something has happened between two states.' },
);

const StreamGap = Type.Object(
  {
    reason: oneOf(
      ['history_gone', 'slow_reader'],
      'Why: what was told since `Last-Event-ID` is not kept any more, or the reader did not keep up.',
    ),
    from: nullableInteger('Last number that was told before the gap; null where it is not known here.'),
    to: Type.Integer({ description: 'Last number of the gap.' }),
    symbols: Type.Array(Type.String(), {
      description: 'Symbols that it concerns; snapshots of them follow.',
    }),
  },
  { title: 'StreamGap', description: 'Event `gap`: something was not told.' },
);

const StreamFarewell = Type.Object(
  { code: string('Word of the error catalogue.'), detail: string('Why the stream ends.') },
  {
    title: 'StreamFarewell',
    description:
      'Events `unauthorized` (the token has ended or was revoked) and `closing`; the stream ends with them.',
  },
);

/** Data of every event, as JSON text on one `data:` line. */
export const StreamData = Type.Union([StreamSnapshot, StreamChange, StreamEvent, StreamGap, StreamFarewell], {
  title: 'StreamData',
  description: 'Data of the events of a stream, by the name of the event.',
});

export const StreamQuery = Type.Object(
  { symbols: stockSymbols(STREAM_SYMBOLS_MAX) },
  { additionalProperties: false },
);

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The last `id` of an earlier stream of the same symbols: what was told since then follows, or a `gap` and fresh snapshots where it is gone. Browsers send it by themselves.',
    }),
  ),
});
