import { announceChange } from '../database/changes.ts';
import type { Database } from '../database/database.ts';
import { projectStock, SCREEN_CATALOGUE } from '../derive/projection.ts';
import {
  datesWithoutScreenRows,
  daysWithoutScreenRow,
  fillScreenRows,
  isScreenUnfilled,
  keepScreenCatalogue,
  setScreenFilled,
  type UnprojectedDay,
} from '../graph/screen-rows.ts';

/** Stock-days whose answers are parsed together: some milliseconds of the event loop. */
const DAYS_AT_ONCE = 16;

/**
 * Gives a row for screens to every stock-day that was stored before its fields were known, newest date first, from the
 * facts that are stored: nothing is derived again. Once that is done for the fields of this program it costs one query;
 * interrupted, it goes on from there.
 */
export async function fillScreens(database: Database): Promise<void> {
  if (!(await isScreenUnfilled(database, SCREEN_CATALOGUE))) return;
  await keepScreenCatalogue(database, SCREEN_CATALOGUE);
  for (const tradeDate of await datesWithoutScreenRows(database, SCREEN_CATALOGUE)) {
    while (await fillSome(database, tradeDate));
  }
  await setScreenFilled(database, SCREEN_CATALOGUE);
}

/** False once the date has nothing left. */
async function fillSome(database: Database, tradeDate: string): Promise<boolean> {
  const days = await daysWithoutScreenRow(database, SCREEN_CATALOGUE, tradeDate, DAYS_AT_ONCE);
  if (days.length === 0) return false;
  const rows = days.map((day) => ({ ...day, screen: projectStock(answerOf(day)) }));
  await database.transaction(async (transaction) => {
    await announceChange(transaction, await fillScreenRows(transaction, rows));
  });
  return days.length === DAYS_AT_ONCE;
}

/** The answer that the facts of a day make with every include that is stored. */
function answerOf({ facts: { core = '', ...includes } }: UnprojectedDay): Record<string, unknown> {
  const answer = JSON.parse(`{${core}}`) as Record<string, unknown>;
  for (const [block, value] of Object.entries(includes)) answer[block] = JSON.parse(value);
  return answer;
}
