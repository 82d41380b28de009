import { expect, it } from 'vitest';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { watchClock } from '../../../src/pipeline/watch-clock.ts';
import { freshDatabase } from '../../support/app.ts';

it('warns of a clock that differs from that of the database, by how much and which way', async () => {
  const database = await freshDatabase();
  const warningsAt = async (now: number, waitedMs = 0): Promise<string[]> => {
    const timers = new SteppedTimers(now);
    const scope = new Scope('test', timers);
    const warnings: string[] = [];
    watchClock(scope, database, (sentence) => warnings.push(sentence));
    await timers.advance(waitedMs, () => scope.idle());
    await scope.close();
    return warnings;
  };
  expect(await warningsAt(Date.now())).toEqual([]);
  expect(await warningsAt(Date.now() + 3_600_000)).toEqual([
    expect.stringMatching(/^The clock of this machine is 3[56]\d\d\.\d s ahead of that of the database/),
  ]);
  expect(await warningsAt(Date.now() - 3_600_000)).toEqual([expect.stringContaining(' s behind ')]);
  // Once a minute, as long as it differs.
  expect(await warningsAt(Date.now() - 3_600_000, 120_000)).toHaveLength(3);
});
