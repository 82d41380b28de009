import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of which `promtool` is a command; version 3.13 of the program. */
const PROMETHEUS = 'github.com/prometheus/prometheus@v0.313.5';
/** What `docker compose` reads its files with; it holds their schema. */
const COMPOSE = 'github.com/compose-spec/compose-go/v2@v2.9.0';
/** A first build of promtool on two busy cores. */
const BUILD_TIMEOUT_MS = 600_000;

/**
 * The path of `promtool`: that of the machine, else of Debian's package, else built once by Go, which takes minutes.
 *
 * @throws Error without it and without Go or its module proxy
 */
export function promtool(): string {
  const [own] = findOnPath('promtool');
  return own ?? debianPromtool() ?? builtPromtool();
}

/** From the package `prometheus`, which is not installed; null where it cannot be had. */
function debianPromtool(): string | null {
  const path = join(tmpdir(), 'tigraph-promtool-debian');
  if (existsSync(path)) return path;
  const directory = mkdtempSync(`${path}-`);
  const run = (program: string, words: readonly string[]): string =>
    execFileSync(program, words, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    try {
      run('apt-get', ['download', 'prometheus']);
    } catch {
      // A machine whose lists are old or absent.
      run('apt-get', ['update', '--quiet']);
      run('apt-get', ['download', 'prometheus']);
    }
    const [file] = readdirSync(directory).filter((name) => name.endsWith('.deb'));
    run('dpkg', ['--extract', file!, '.']);
    renameSync(join(directory, 'usr', 'bin', 'promtool'), path);
    return path;
  } catch {
    return null;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function builtPromtool(): string {
  const path = join(tmpdir(), `tigraph-promtool-${PROMETHEUS.split('@')[1]}`);
  if (existsSync(path)) return path;
  const directory = mkdtempSync(`${path}-`);
  try {
    // A module of its own: `go install` refuses one that replaces or excludes others.
    writeFileSync(join(directory, 'go.mod'), 'module promtool\n\ngo 1.24\n');
    const [module, version] = PROMETHEUS.split('@') as [string, string];
    go(['get', '-tool', `${module}/cmd/promtool@${version}`], directory);
    // The clients of cloud vendors are most of what would be compiled.
    go(
      ['build', '-tags', 'remove_all_sd,enable_dns_sd', '-o', 'promtool', `${module}/cmd/promtool`],
      directory,
    );
    renameSync(join(directory, 'promtool'), path);
    return path;
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The JSON Schema of compose files.
 *
 * @throws Error without Go or its module proxy
 */
export function composeSchema(): object {
  const downloaded = JSON.parse(go(['mod', 'download', '-json', COMPOSE], tmpdir())) as {
    readonly Dir: string;
  };
  const text = readFileSync(join(downloaded.Dir, 'schema', 'compose-spec.json'), 'utf8');
  // It names its draft by an address that validators do not know.
  const { $schema: _, ...schema } = JSON.parse(text) as { $schema: string };
  return schema;
}

function go(words: readonly string[], directory: string): string {
  const [program] = [...findOnPath('go'), '/usr/local/go/bin/go'];
  return execFileSync(program!, words, {
    cwd: directory,
    encoding: 'utf8',
    env: { ...process.env, GOFLAGS: '-mod=mod' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BUILD_TIMEOUT_MS,
  });
}

export const findOnPath = (program: string): string[] =>
  (process.env.PATH ?? '')
    .split(':')
    .map((directory) => join(directory, program))
    .filter((path) => existsSync(path));
