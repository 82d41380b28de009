import { stockSymbols } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { AnsweredStock } from '../../derive/selection.ts';
import { parameters } from '../answers/parameters.ts';

const STREAM_SYMBOLS_MAX = 200;

const head = {
  seq: Type.Integer({
    description: 'Sequence number of the feed; missing numbers belong to other symbols.',
  }),
  symbol: wire.string('Ticker symbol.'),
  trade_date: Type.String({ format: 'date', description: 'Trade date of the state.' }),
  as_of: wire.dateTime('Instant that the state speaks for.'),
};

const anyFields = (description: string) => Type.Object({}, { description, additionalProperties: true });

const StreamSnapshot = Type.Object(
  {
    ...head,
    stock: AnsweredStock,
  },
  {
    title: 'StreamSnapshot',
    description: 'Event `snapshot`: the stock as stock detail serves it at this instant, without includes.',
  },
);

const StreamChange = Type.Object(
  {
    ...head,
    changed: anyFields('The top-level fields of StockResult that changed; nested blocks whole.'),
  },
  { title: 'StreamChange', description: 'Event `change`: the fields that changed.' },
);

const evidence = (when: string) => anyFields(`The values ${when}, by the names of their fields.`);

const StreamEvent = Type.Object(
  {
    ...head,
    before_as_of: wire.dateTime('Instant of the state that `before` is of; `as_of` is that of `after`.'),
    type: wire.oneOf(
      ['level_broken', 'orb_broken', 'orb_failed', 'tier_crossed', 'bias_changed', 'halted', 'resumed'],
      'What happened.',
    ),
    subject: wire.nullableString('The level, opening range or field; null for the stock itself.'),
    direction: wire.nullableOneOf(['up', 'down'], 'Which way; null where it has none.'),
    before: evidence('before'),
    after: evidence('after'),
  },
  { title: 'StreamEvent', description: 'Event `event`: something has happened between two states.' },
);

export const StreamGap = Type.Object(
  {
    reason: wire.oneOf(
      ['history_gone', 'slow_reader'],
      'Why: the events since `Last-Event-ID` are no longer stored, or the reader was too slow.',
    ),
    from: wire.nullableInteger('Last number before the gap; null if unknown.'),
    to: Type.Integer({ description: 'Last number of the gap.' }),
    symbols: Type.Array(Type.String(), {
      description: 'Symbols that it concerns; snapshots of them follow.',
    }),
  },
  { title: 'StreamGap', description: 'Event `gap`: events are missing.' },
);

const StreamFarewell = Type.Object(
  { code: wire.string('Word of the error catalogue.'), detail: wire.string('Why the stream ends.') },
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

export const StreamQuery = parameters({ symbols: stockSymbols(STREAM_SYMBOLS_MAX) });

export const StreamHeaders = Type.Object({
  'last-event-id': Type.Optional(
    Type.String({
      maxLength: 100,
      description:
        'The last `id` of an earlier stream of the same symbols: the events since then follow, or a `gap` and snapshots if they are no longer stored. Browsers send it automatically.',
    }),
  ),
});
