import { callerLeft } from '../../base/caller.ts';
import { CodedError, type ValidationFault, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { type Caller, mayName, ownerOf, requireSymbols } from '../access/viewer.ts';
import { valueFault } from '../answers/refusals.ts';
import { seenTapes, unseenFaults } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';
import { type ScreenRequest, screenFaults, screenStocks } from '../screener/screen-stocks.ts';
import { LISTS_MAX, SYMBOLS_MAX } from './schema.ts';

interface StoredList {
  readonly name: string;
  readonly symbols: readonly string[] | null;
  readonly screen: ScreenRequest | null;
  readonly changed_at: Date;
}

/** What a list is to hold: either of them. */
export interface ListContent {
  readonly symbols?: readonly string[] | undefined;
  readonly screen?: ScreenRequest | undefined;
}

type ListContext = Pick<AppContext, 'database'>;

const COLUMNS = 'name, symbols, screen, changed_at';

/** The lists of a caller by name, with those stocks that its grant covers. */
export async function listWatchlists({ database }: ListContext, caller: Caller): Promise<StoredList[]> {
  const lists = await database.query<StoredList>(
    `select ${COLUMNS} from watchlist where owner = $1 order by name`,
    [ownerOf(caller) ?? ''],
    { signal: callerLeft() },
  );
  return lists.map((list) => seenBy(list, caller));
}

const seenBy = (list: StoredList, caller: Caller): StoredList => ({
  ...list,
  symbols: list.symbols?.filter((symbol) => mayName(caller, symbol)) ?? null,
});

/**
 * A list of the caller with its stocks; of a screen those that pass it now.
 *
 * @param date of a screen in place of now
 * @throws CodedError unknown_watchlist; for a screen those of `screenStocks`
 */
export async function getWatchlist(context: AppContext, name: string, caller: Caller, date?: string) {
  const [list] = await context.database.query<StoredList>(
    `select ${COLUMNS} from watchlist where owner = $1 and name = $2`,
    [ownerOf(caller) ?? '', name],
    { signal: callerLeft() },
  );
  if (list === undefined) throw unknownList(name);
  const { symbols, ...rest } = seenBy(list, caller);
  return {
    ...rest,
    symbols: symbols ?? (await passing(context, { ...list.screen!, ...(date && { date }) }, caller)),
  };
}

const unknownList = (name: string) =>
  new CodedError('unknown_watchlist', `You have no list ${name}; GET /api/graph/v1/watchlists names yours`);

async function passing(context: AppContext, screen: ScreenRequest, caller: Caller): Promise<string[]> {
  const page = await screenStocks(
    context,
    { ...screen, select: [], limit: SYMBOLS_MAX, near_misses: 0, closes: false },
    caller,
  );
  return (JSON.parse(page) as { rows: { symbol: string }[] }).rows.map(({ symbol }) => symbol);
}

/**
 * Writes a list of the caller in place of what it held.
 *
 * @throws ValidationRefusal that names every symbol without data, a list that is too long, and faults of a screen
 * @throws CodedError symbol_not_granted; conflict for more lists than are kept
 */
export async function putWatchlist(
  context: AppContext,
  name: string,
  { symbols: stated, screen }: ListContent,
  caller: Caller,
) {
  if ((stated === undefined) === (screen === undefined))
    throw new ValidationRefusal([
      valueFault(['body'], {}, 'A list holds either `symbols` or a `screen`; send one of them'),
    ]);
  const symbols = stated === undefined ? null : [...new Set(stated.map(canonicalSymbol))];
  const faults = symbols === null ? faultsOfScreen(screen) : await faultsOf(context, symbols, caller);
  if (faults.length > 0) throw new ValidationRefusal(faults);
  const written = await context.database.write(
    `insert into watchlist (owner, name, symbols, screen) select $1, $2, $3::text[], $4::jsonb
     where (select count(*) from watchlist where owner = $1 and name <> $2) < $5
     on conflict (owner, name) do update set symbols = excluded.symbols, screen = excluded.screen,
       changed_at = clock_timestamp()
     returning name`,
    [ownerOf(caller) ?? '', name, symbols, screen === undefined ? null : JSON.stringify(screen), LISTS_MAX],
  );
  if (written.length === 0)
    throw new CodedError('conflict', `You have ${LISTS_MAX} lists, and no more are kept; delete one first`);
  return getWatchlist(context, name, caller);
}

const faultsOfScreen = (screen: unknown): ValidationFault[] =>
  screenFaults(screen).map((fault) => ({ ...fault, loc: ['body', 'screen', ...fault.loc.slice(1)] }));

async function faultsOf(
  context: AppContext,
  symbols: readonly string[],
  caller: Caller,
): Promise<ValidationFault[]> {
  if (symbols.length > SYMBOLS_MAX) {
    const sentence = `A list holds at most ${SYMBOLS_MAX} symbols, not ${symbols.length}; part it, or keep a screen that finds them`;
    return [valueFault(['body', 'symbols'], symbols.length, sentence)];
  }
  requireSymbols(caller, symbols);
  return unseenFaults(symbols, await seenTapes(context, symbols, caller));
}

/** @throws CodedError unknown_watchlist */
export async function deleteWatchlist({ database }: ListContext, name: string, caller: Caller) {
  const gone = await database.write<{ name: string }>(
    'delete from watchlist where owner = $1 and name = $2 returning name',
    [ownerOf(caller) ?? '', name],
  );
  if (gone.length === 0) throw unknownList(name);
  return { name };
}
