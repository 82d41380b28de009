/**
 * The Python package against a running service: its tests, its notebooks, its wheel in an empty environment, every block of
 * code of its documents, types and style. Its programs come from PyPI, each by its hash, once for a state of
 * `clients/python/requirements.txt`; without Python or PyPI it says so and skips.
 *
 *   npm run test:python
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { endsWithUs } from './engines/ends-with-us.ts';
import { pythonEngines } from './engines/python-engines.ts';
import { DATE, runProgram, settingsOn, startService } from './engines/small-service.ts';

const PACKAGE = resolve(import.meta.dirname, '../clients/python');
/** Enough stocks and sessions for peers, and for records of divergences. */
const MARKET = ['--symbols', '30', '--days', '300', '--minutes', '22', '--end', DATE];
/** From here on records are counted: dates enough for a verdict. */
const FROM = '2026-08-20';
/** File descriptor of a child. */
const SERVICE = 3;
const SCOPES = 'stock:read,market-data:realtime,screener:read,backtest:run,export:read';

const data = mkdtempSync(join(tmpdir(), 'tigraph-python-'));
process.once('exit', () => rmSync(data, { recursive: true, force: true }));
// What is asked here once need not be derived for everybody first.
const settings = { ...settingsOn(data), TIGRAPH_HISTORY_SESSIONS: '0' };

const simulated = runProgram(['simulate', ...MARKET], settings);
const python = pythonWithPrograms();
if (python === null) {
  console.log('skipped: there is no Python here, or PyPI has not given its programs');
  await simulated;
} else {
  const style = [['ruff', 'check', '.'], ['ruff', 'format', '--check', '.'], ['mypy']].map((words) =>
    untilEnd(start(python, words)),
  );
  const tests = start(python, ['pytest'], 'pipe');
  await simulated;
  await runProgram(['record', 'build', '--from', FROM, '--kinds', 'level,divergence'], settings);
  const client = JSON.parse(await runProgram(['client', 'create', 'a quant', '--json'], settings));
  const grant = ['--scopes', SCOPES, '--feed', 'realtime_sip'];
  await runProgram(['grant', 'create', client.client_id, ...grant], settings);
  const { home, service } = await startService(settings);
  (tests.stdio[SERVICE] as Writable).end(`${JSON.stringify({ url: home, ...client })}\n`);
  const codes = await Promise.all([...style, untilEnd(tests)]);
  service.kill('SIGTERM');
  await once(service, 'exit');
  process.exitCode = Math.max(...codes);
}

/** An interpreter beside which the programs are; null without Python or PyPI. */
function pythonWithPrograms(): string | null {
  try {
    return join(pythonEngines('../../clients/python/requirements.txt'), 'bin', 'python');
  } catch {
    return null;
  }
}

/** Starts a module in the folder of the package; `service` is where it reads of the service once that is ready. */
function start(
  python: string,
  words: readonly string[],
  service: 'pipe' | 'ignore' = 'ignore',
): ChildProcess {
  const env = { ...process.env, TIGRAPH_TEST_SERVICE: `${SERVICE}`, PYTHONPATH: join(PACKAGE, 'src') };
  const stdio = ['inherit', 'inherit', 'inherit', service] as const;
  return endsWithUs(spawn(python, ['-m', ...words], { cwd: PACKAGE, env, stdio: [...stdio] }));
}

async function untilEnd(child: ChildProcess): Promise<number> {
  const [code] = await once(child, 'exit');
  return code ?? 1;
}
