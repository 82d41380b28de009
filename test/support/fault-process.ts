import { writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/config.ts';
import { openDatabase } from '../../src/database/database.ts';
import { answersOf } from './fault-answers.ts';
import { FAULT_SCENARIOS, type Place, placeIn } from './fault-scenarios.ts';

/**
 * A process that does one part of a scenario of `fault-scenarios.ts` in a directory: `prepare` fills it, `work` does the
 * work and writes what was acknowledged to its fourth stream, `finish` does the work again after a kill and writes
 * `answers.json`, `answers` only does the latter, `otherwise` does the work in another way and writes them too. With `TIGRAPH_FAULT` it kills itself on the way.
 */
const [name, directory, part, acknowledged] = process.argv.slice(2) as [string, string, string, string?];
const scenario = FAULT_SCENARIOS[name]!;
const place = placeIn(directory, scenario.engine?.kind);
// Commands speak to people.
console.log = () => {};

/** Written before the next step begins, so that a kill loses none. */
const acknowledge = (query: string): void => void writeSync(3, `${JSON.stringify(query)}\n`);

if (part === 'prepare') await scenario.prepare(place);
if (part === 'work') await scenario.work(place, acknowledge);
if (part === 'otherwise') await scenario.otherwise!(place);
if (part === 'finish') {
  await findAll(place, JSON.parse(acknowledged!) as string[]);
  await scenario.work(place, () => {});
}
if (part === 'finish' || part === 'answers' || part === 'otherwise') {
  await scenario.settle?.(place);
  writeFileSync(join(directory, 'answers.json'), JSON.stringify(await answersOf(place)));
}

async function findAll({ settings }: Place, queries: readonly string[]): Promise<void> {
  if (queries.length === 0) return;
  const database = await openDatabase(loadConfig(settings));
  for (const query of queries) {
    const rows = await database.query(query);
    if (rows.length === 0) throw new Error(`what was acknowledged is lost: ${query}`);
  }
  await database.close();
}
