import { existsSync } from 'node:fs';
import { CodedError } from '../base/errors.ts';
import type { Config } from '../config.ts';
import { realDataPlan } from '../files/real-data.ts';
import { atLowerPriority } from '../pipeline/at-lower-priority.ts';
import type { Define } from './command.ts';
import { runImport } from './import-feed.ts';
import { runStates, runSync } from './sync.ts';
import { withPipeline } from './with-app.ts';

export const define: Define = (command, call) => {
  command.action(() => call(importRealData));
};

async function importRealData(config: Config): Promise<number> {
  const directory = config.realDataDirectory;
  if (!existsSync(directory)) {
    throw new CodedError(
      'import_failed',
      `There is no folder ${directory}: set TIGRAPH_REAL_DATA to where the data lie.`,
    );
  }
  return withPipeline(config, (app) =>
    atLowerPriority(app.context, async () => {
      let exit = 0;
      for (const { title, feed } of await realDataPlan(directory, app.context.calendar)) {
        exit = (await runImport(app, title, feed)).exit || exit;
      }
      exit = (await runSync(app, { kind: 'touched' })) || exit;
      return (await runStates(app)) || exit;
    }),
  );
}
