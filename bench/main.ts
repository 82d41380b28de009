/**
 * Runs every `*.bench.ts` of this folder, each in a process of its own so that none inherits what the engine
 * learned from another, and prints one table of promises. Words after the command pick files: `npm run bench
 * -- indicators`. `npm run bench -- soak --minutes 30` runs for so long and only when it is asked for.
 */
import { fork } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type BenchLine, machine, machineUs, report } from './report.ts';

const FOLDER = new URL('./', import.meta.url);
const COMPILED_CODE = fileURLToPath(new URL('../node_modules/.cache/code', import.meta.url));

/**
 * The lines of one bench file, or one line that says how it failed: a broken bench must not hide the others.
 */
function runApart(file: string): Promise<BenchLine[]> {
  return new Promise((resolve) => {
    // Compiled code lies where the program keeps it; its threads start with it in life too.
    const child = fork(new URL(import.meta.url), ['--only', file], {
      stdio: ['ignore', 2, 2, 'ipc'],
      env: { NODE_COMPILE_CACHE: COMPILED_CODE, ...process.env },
    });
    let lines: BenchLine[] | null = null;
    child.on('message', (message) => {
      lines = message as BenchLine[];
    });
    child.on('close', (code) => {
      resolve(lines ?? [{ promise: file, figure: `failed (exit ${code})`, met: false }]);
    });
  });
}

async function runOnly(file: string): Promise<void> {
  const bench = (await import(new URL(file, FOLDER).href)) as { run(): Promise<BenchLine[]> };
  const before = machineUs();
  const lines = await bench.run();
  const after = machineUs();
  console.error(
    `${file}: a fixed answer parsed and written takes ${before.toFixed(0)} us before, ${after.toFixed(0)} us after`,
  );
  // A bench may have left a server or a database open; its lines are all that is wanted of it.
  process.send!(lines, () => process.exit(0));
}

async function runAll(words: string[]): Promise<void> {
  const files = readdirSync(FOLDER)
    .filter((file) => file.endsWith('.bench.ts'))
    .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
    .sort();
  const lines: BenchLine[] = [];
  for (const file of files) {
    console.error(`running ${file}`);
    const start = performance.now();
    lines.push(...(await runApart(file)));
    console.error(`${file} took ${((performance.now() - start) / 1000).toFixed(0)} s`);
  }
  conclude(lines);
}

/** Prints the table; a promise that was not kept is a failure. */
function conclude(lines: readonly BenchLine[]): void {
  report(lines);
  console.log(`\n${machine()}`);
  if (lines.some((line) => line.met === false)) process.exitCode = 1;
}

const words = process.argv.slice(2);
const [first, file] = words;
if (first === '--only' && file !== undefined) await runOnly(file);
else if (first === 'soak') {
  const { run } = await import('./soak.ts');
  conclude(await run(words.slice(1)));
} else await runAll(words);
