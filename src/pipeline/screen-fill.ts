import { at } from '../base/fault-points.ts';
import { announceChange } from '../database/changes.ts';
import type { Database } from '../database/database.ts';
import { projectStock, SCREEN_CATALOGUE } from '../derive/projection.ts';
import {
  datesWithoutScreenRows,
  daysWithoutScreenRow,
  fillScreenRows,
  isScreenUnfilled,
  setScreenFilled,
  type UnprojectedDay,
  writeScreenCatalogue,
} from '../graph/screen-rows.ts';

/** Stock-days parsed together: some milliseconds of the event loop. */
const DAYS_A_FILL = 16;

/**
 * Writes screen rows of stock-days that were stored under an older catalogue, newest date first, from the stored facts.
 * Costs one query when there are none; continues after an interruption.
 */
export async function fillScreens(database: Database): Promise<void> {
  if (!(await isScreenUnfilled(database, SCREEN_CATALOGUE))) return;
  await writeScreenCatalogue(database, SCREEN_CATALOGUE);
  for (const tradeDate of await datesWithoutScreenRows(database, SCREEN_CATALOGUE)) {
    while (await fillSome(database, tradeDate));
  }
  await setScreenFilled(database, SCREEN_CATALOGUE);
}

/** False when the date has no more. */
async function fillSome(database: Database, tradeDate: string): Promise<boolean> {
  const days = await daysWithoutScreenRow(database, SCREEN_CATALOGUE, tradeDate, DAYS_A_FILL);
  if (days.length === 0) return false;
  const rows = days.map((day) => ({ ...day, screen: projectStock(answerOf(day)) }));
  await database.transaction(async (transaction) => {
    await announceChange(transaction, await fillScreenRows(transaction, rows));
  });
  at('screen-rows.filled');
  return days.length === DAYS_A_FILL;
}

/** The answer of a day from its stored facts, with every stored include. */
function answerOf({ facts: { core = '', ...includes } }: UnprojectedDay): Record<string, unknown> {
  const answer = JSON.parse(`{${core}}`) as Record<string, unknown>;
  for (const [block, value] of Object.entries(includes)) answer[block] = JSON.parse(value);
  return answer;
}
