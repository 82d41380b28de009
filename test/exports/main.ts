/**
 * Exported facts, read by programs that nobody here wrote: pyarrow, pandas, Polars and DuckDB find in the files each value
 * that `POST /panel` has of the same stock-days. They come from PyPI, once for each version; without Python or its package
 * index it says so and skips.
 *
 *   npm run test:exports
 *   npm run test:exports -- --data DIRECTORY --from 2023-06-30 --to 2024-06-27 --stored 252
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { anonymousCaller } from '../../src/api/access/viewer.ts';
import { openPanel } from '../../src/api/panel/get-panel.ts';
import { type App, openApi } from '../../src/app.ts';
import { chunks } from '../../src/base/chunks.ts';
import { stopwatch } from '../../src/base/timers.ts';
import { loadConfig } from '../../src/config.ts';
import { SCALAR_FIELDS } from '../../src/derive/scalar-fields.ts';
import { bringHistoriesUpToDate } from '../../src/pipeline/history-pass.ts';
import { pythonEngines } from '../engines/python-engines.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/tigraph');
const FIELDS_AT_ONCE = 50;
/** Of a market that is made for the test a part is stored, and the other derived on the way. */
const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    from: { type: 'string', default: '2026-09-01' },
    to: { type: 'string', default: '2026-11-19' },
    stored: { type: 'string', default: '20' },
  },
});

const python = pythonPrograms();
if (python !== null) {
  const folder = mkdtempSync(join(tmpdir(), 'tigraph-exports-'));
  try {
    await check(python, folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pythonPrograms(): string | null {
  try {
    return join(pythonEngines('export-requirements.txt'), 'bin', 'python');
  } catch {
    console.log('skipped: Python or PyPI has not given DuckDB, Polars, pandas and pyarrow');
    return null;
  }
}

async function check(interpreter: string, folder: string): Promise<void> {
  const { from, to, stored } = values;
  const data = values.data ?? join(folder, 'data');
  const now = values.data === undefined ? { TIGRAPH_NOW: '2026-11-20T23:00:00Z' } : {};
  const settings = { DATABASE_URL: '', TIGRAPH_DATA_DIR: data, LOG_LEVEL: 'silent', ...now };
  const run = (command: string, words: readonly string[]): void =>
    void execFileSync(command, words, { stdio: 'inherit', env: { ...process.env, ...settings } });
  if (!existsSync(data)) run(PROGRAM, ['simulate', '--symbols', '20', '--days', '300', '--minutes', '3']);
  let started = stopwatch();
  const took = (): string => `${((stopwatch() - started) / 1_000).toFixed(1)} s`;
  const withApp = async <T>(work: (app: App) => Promise<T>): Promise<T> => {
    const app = await openApi(loadConfig(settings));
    started = stopwatch();
    return work(app).finally(() => app.close());
  };
  await withApp(async ({ context }) => {
    const { derived } = await bringHistoriesUpToDate({ ...context, historySessions: Number(stored) });
    console.log(`derived and stored: ${derived} stock-days of every field, ${took()}`);
  });
  // Before the panels: an export has sessions measured against the peers of the stocks, for which a panel does not wait.
  for (const format of ['parquet', 'arrow']) {
    const words = ['--from', from, '--to', to, '--format', format, '--out', join(folder, 'out', format)];
    run(PROGRAM, ['export', 'facts', ...words]);
  }
  await withApp(async ({ context }) => {
    const paths = SCALAR_FIELDS.flatMap(({ path }) => (path === 'symbol' ? [] : path));
    const symbols = await context.tape.symbols();
    for (const [at, fields] of [...chunks(paths, FIELDS_AT_ONCE)].entries()) {
      const bytes: Uint8Array[] = [];
      const caller = anonymousCaller(context.delayMs);
      for await (const part of await openPanel(context, { fields, symbols, from, to }, 'arrow', caller))
        bytes.push(part as Uint8Array);
      await writeFile(join(folder, `panel-${at}.arrows`), Buffer.concat(bytes));
    }
    console.log(`panels of ${paths.length} fields of ${symbols.length} stocks: ${took()}`);
  });
  run(interpreter, [join(import.meta.dirname, 'compare.py'), folder]);
}
