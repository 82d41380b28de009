import { statSync } from 'node:fs';
import { platform } from 'node:process';
import { parseArgs } from 'node:util';
import { keepGraphFresh, keepStatesFresh } from '../pipeline/background-pass.ts';
import { keepMarketMoving } from '../pipeline/keep-market-moving.ts';
import { keepTextsEmbedded } from '../pipeline/keep-texts.ts';
import { buildExplorer } from './build-explorer.ts';
import type { Run } from './command.ts';
import { announce, closeWithin, listen } from './listen.ts';
import { simulateInto } from './simulate.ts';
import { stopSignal, whenStopped } from './stop-signal.ts';
import { withApp } from './with-app.ts';

/** The simulated market of a first start. */
const FIRST_MARKET = { symbols: 100, days: 504, seed: 1, minuteSessions: 5, tickSessions: 1 };

export const run: Run = async (words, config) => {
  const { values } = parseArgs({ args: [...words], options: { replay: { type: 'boolean' } } });
  if (values.replay === true) {
    const { run: replay } = await import('./replay.ts');
    return replay([], config);
  }
  await buildExplorer();
  const serving = withApp(config, async (app) => {
    const symbols = await app.context.tape.symbols();
    if (symbols.length === 0) {
      console.log('The data directory is empty: building a simulated market to look at.');
      await simulateInto(app, FIRST_MARKET);
    }
    // Before this the first signal ends the process at once.
    const stop = stopSignal();
    const warm = Promise.withResolvers<void>();
    const server = await app.server(warm.promise);
    await listen(server, config);
    await app.warmUp((error) => server.log.warn({ err: error }, 'warming up'));
    warm.resolve();
    announce(server, symbols.length > 0 ? symbols : await app.context.tape.symbols());
    const refresh = keepGraphFresh(app.context, (error) =>
      server.log.error({ err: error }, 'keeping the graph fresh'),
    );
    const states = keepStatesFresh(app.context, {
      onPass: ({ symbols, written }) => server.log.info({ symbols, written }, 'states brought up to date'),
      onError: (error) => server.log.error({ err: error }, 'keeping states fresh'),
    });
    const moving = keepMarketMoving(app.context, server.log);
    const texts = keepTextsEmbedded(
      app.context,
      (error) => server.log.warn({ err: error }, 'giving texts their vectors'),
      ({ embedded }) => server.log.info({ embedded }, 'texts have their vectors'),
    );
    warnOfReaders(config.dataDirectory, server.log);
    await whenStopped(stop);
    await moving.stop();
    await texts.stop();
    await refresh.stop();
    await states.stop();
    await closeWithin(server.close(), config.shutdownGraceMs);
    return 0;
  });
  // Loads while the database opens on its thread.
  void import('../api/server/server.ts');
  return serving;
};

/** Warns only: the owner of an existing directory may want a group to read it. */
function warnOfReaders(directory: string, log: { warn(line: string): void }): void {
  if (platform === 'win32' || (statSync(directory).mode & 0o077) === 0) return;
  log.warn(
    `Other users of this machine can read ${directory}, which holds market data and the key that signs tokens; chmod 700 keeps them out.`,
  );
}
