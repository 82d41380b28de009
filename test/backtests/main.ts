/** Trades of backtests by pandas and backtesting.py, in a Python environment of their own. */

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { pythonEngines } from '../engines/python-engines.ts';

const python = join(pythonEngines('backtests-requirements.txt'), 'bin', 'python');
const words = ['vitest', 'run', '--project', 'service', 'test/service/api/backtest-trades.test.ts'];
const { status } = spawnSync('npx', words, {
  stdio: 'inherit',
  env: { ...process.env, TIGRAPH_PYTHON: python },
});
process.exitCode = status ?? 1;
