/**
 * The Python package against a running service: its tests, its notebooks, its wheel in an empty environment, every block of
 * code of its documents, types and style. Its programs come from PyPI, each by its hash, once for a state of
 * `clients/python/requirements.txt`; without Python or PyPI it says so and skips.
 *
 *   npm run test:python
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pythonEngines } from './engines/python-engines.ts';
import { DATE, runProgram, settingsOn, startService } from './engines/small-service.ts';

const PACKAGE = resolve(import.meta.dirname, '../clients/python');
/** Enough stocks and sessions for peers, and for records of divergences. */
const MARKET = ['--symbols', '30', '--days', '300', '--minutes', '22', '--end', DATE];
const SCOPES = 'stock:read,market-data:realtime,screener:read,backtest:run,export:read';

const data = mkdtempSync(join(tmpdir(), 'tigraph-python-'));
process.once('exit', () => rmSync(data, { recursive: true, force: true }));
const settings = settingsOn(data);

const market = prepareMarket();
const python = pythonWithPrograms();
if (python === null) {
  console.log('skipped: there is no Python here, or PyPI has not given its programs');
  await market;
} else {
  const style = [
    run(python, ['ruff', 'check', '.']),
    run(python, ['ruff', 'format', '--check', '.']),
    run(python, ['mypy']),
  ];
  const client = await market;
  const { home, service } = await startService(settings);
  const tests = run(python, ['pytest'], {
    TIGRAPH_TEST_URL: home,
    TIGRAPH_TEST_CLIENT_ID: client.id,
    TIGRAPH_TEST_CLIENT_SECRET: client.secret,
  });
  const codes = await Promise.all([...style, tests]);
  service.kill('SIGTERM');
  await once(service, 'exit');
  process.exitCode = Math.max(...codes);
}

/** A simulated market with its records, and a client that may see it in real time. */
async function prepareMarket(): Promise<{ id: string; secret: string }> {
  await runProgram(['simulate', ...MARKET], settings);
  await runProgram(['record', 'build', '--kinds', 'level,divergence'], settings);
  const client = JSON.parse(await runProgram(['client', 'create', 'a quant', '--json'], settings));
  await runProgram(['grant', 'create', client.client_id, '--scopes', SCOPES, '--feed', 'realtime_sip'], settings);
  return { id: client.client_id, secret: client.client_secret };
}

/** An interpreter beside which the programs are; null without Python or PyPI. */
function pythonWithPrograms(): string | null {
  try {
    return join(pythonEngines('../../clients/python/requirements.txt'), 'bin', 'python');
  } catch {
    return null;
  }
}

/** Runs a module in the folder of the package: its exit code. */
async function run(python: string, words: readonly string[], more: NodeJS.ProcessEnv = {}): Promise<number> {
  const env = { ...process.env, ...more, PYTHONPATH: join(PACKAGE, 'src') };
  const child = spawn(python, ['-m', ...words], { cwd: PACKAGE, env, stdio: 'inherit' });
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
