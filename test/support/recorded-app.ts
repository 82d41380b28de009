import type { FastifyInstance } from 'fastify';
import type { App } from '../../src/app.ts';
import { freshApp, serverOf, type TestSettings } from './app.ts';
import { realDataDirectory } from './real-data.ts';

/**
 * An app of tests with recorded data in it, and its server; nothing where there is no such data.
 *
 * @param isWanted false where the tests are for `npm run test:full` alone
 */
export async function onRealData(
  load: (app: App) => Promise<void>,
  settings: TestSettings = {},
  isWanted = true,
): Promise<{ readonly app: App; readonly server: FastifyInstance }> {
  if (realDataDirectory === null || !isWanted) return {} as never;
  const { app } = await freshApp(settings);
  await load(app);
  return { app, server: await serverOf(app) };
}
