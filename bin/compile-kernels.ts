/**
 * Compiles `src/analysis/kernels/kernels.as.ts` into `module.ts` beside it, with the AssemblyScript that npm brings for
 * the occasion: its compiler is larger than all else that the program needs.
 *
 *   npm run kernels              writes it
 *   npm run kernels -- --check   fails where it differs
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const COMPILER = 'assemblyscript@0.28.20';
const FOLDER = fileURLToPath(new URL('../src/analysis/kernels/', import.meta.url));
const MODULE = join(FOLDER, 'module.ts');
const FLAGS = [
  ...['--runtime', 'stub', '--noAssert', '--uncheckedBehavior', 'always', '-O3', '--converge'],
  ...['--importMemory', '--sharedMemory', '--initialMemory', '1', '--maximumMemory', '65536'],
  ...['--enable', 'simd', '--enable', 'threads'],
];

const folder = mkdtempSync(join(tmpdir(), 'tigraph-kernels-'));
try {
  const binary = join(folder, 'kernels.wasm');
  const source = join(FOLDER, 'kernels.as.ts');
  const command = ['exec', '--yes', `--package=${COMPILER}`, '--', 'asc', source, '-o', binary, ...FLAGS];
  const { status } = spawnSync('npm', command, { cwd: folder, stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${COMPILER} failed`);
  const lines = readFileSync(binary)
    .toString('base64')
    .match(/.{1,100}/g)!
    .map((line) => `  '${line}'`);
  const text = `/** Compiled from kernels.as.ts by \`npm run kernels\`. */\nexport const MODULE =\n${lines.join(' +\n')};\n`;
  if (!process.argv.includes('--check')) writeFileSync(MODULE, text);
  else if (readFileSync(MODULE, 'utf8') !== text) {
    console.error('module.ts is not what kernels.as.ts compiles to: run npm run kernels.');
    process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
