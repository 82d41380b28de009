import { stockSymbol } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { parameters } from '../answers/parameters.ts';
import { ScreenBody } from '../screener/schema.ts';

export const SYMBOLS_MAX = 500;
export const LISTS_MAX = 50;
export const WATCHLIST_BODY_BYTES = 262_144;

export const WatchlistPath = parameters({
  name: Type.String({
    minLength: 1,
    maxLength: 60,
    pattern: '^\\S(.*\\S)?$',
    description: 'Name of the list, without space at its ends.',
    examples: ['my twelve'],
  }),
});

/** Symbols, or in their place the stocks that pass a screen whenever the list is asked for. */
export const WatchlistBody = Type.Object(
  {
    symbols: Type.Optional(
      Type.Array(stockSymbol, {
        // What is longer is refused with a sentence.
        maxItems: 20_000,
        description: `Ticker symbols in their order, at most ${SYMBOLS_MAX}; one that is repeated counts once.`,
      }),
    ),
    screen: Type.Optional(ScreenBody),
  },
  { additionalProperties: false },
);

const CHANGED_AT = wire.dateTime('When it was last written.');
const screenOr = (description: string) =>
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description,
  });
const SCREEN = screenOr('The screen by which the list fills itself; null for a list of symbols.');

export const WatchlistAnswer = wire.record('Watchlist', 'A list with its stocks.', {
  name: wire.string('Name of the list.'),
  symbols: wire.listOf(
    wire.string('Ticker symbol.'),
    `Its stocks in their order, those of the grant alone; of a screen the first ${SYMBOLS_MAX} that pass it now.`,
  ),
  screen: SCREEN,
  changed_at: CHANGED_AT,
});

export const WatchlistsAnswer = wire.record('Watchlists', 'The lists of a caller, by name.', {
  watchlists: wire.listOf(
    wire.record('WatchlistHead', 'A list; of a screen without its stocks.', {
      name: wire.string('Name of the list.'),
      symbols: wire.nullable(wire.listOf(wire.string('Ticker symbol.'), 'Its stocks; null for a screen.')),
      screen: SCREEN,
      changed_at: CHANGED_AT,
    }),
    'Ascending.',
  ),
});

export const RemovedAnswer = wire.record('RemovedWatchlist', 'A list that is gone.', {
  name: wire.string('Name of the list.'),
});
