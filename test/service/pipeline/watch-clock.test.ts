import { expect, it, onTestFinished } from 'vitest';
import { watchClock } from '../../../src/pipeline/watch-clock.ts';
import { openTestDatabase } from '../../support/database.ts';

it('warns of a clock that differs from that of the database, by how much and which way', async () => {
  const { database, remove } = await openTestDatabase();
  onTestFinished(remove);
  const warningAt = async (now: () => number): Promise<string[]> => {
    const warnings: string[] = [];
    const watching = watchClock(database, (sentence) => warnings.push(sentence), now);
    // Stops once the first look is over.
    await watching.stop();
    return warnings;
  };
  expect(await warningAt(Date.now)).toEqual([]);
  expect(await warningAt(() => Date.now() + 5_000)).toEqual([
    expect.stringMatching(/^The clock of this machine is (4\.9|5\.0|5\.1) s ahead of that of the database/),
  ]);
  expect(await warningAt(() => Date.now() - 5_000)).toEqual([expect.stringContaining(' s behind ')]);
});
