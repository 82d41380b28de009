/**
 * Checks what `deploy` holds with the programs that will read it: alert rules and their tests with promtool, the
 * Containerfile with hadolint, the compose file by its schema, the units with systemd. A program that cannot be had is
 * named, and its step skipped.
 *
 *   npm run test:deploy
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse, stringify } from 'yaml';
import { composeSchema, findOnPath, promtool } from './engines/go-programs.ts';
import { pythonEngines } from './engines/python-engines.ts';

const DEPLOY = fileURLToPath(new URL('../deploy/', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../bin/tigraph', import.meta.url));
/** Of 10, where 0 is the least exposed. What remains is the network, which the service is for. */
const EXPOSURE_MAX = 1.5;

/** A step finds its program first: a failure to do so skips it, any later one fails. */
interface Step {
  readonly name: string;
  find(): string | object;
  check(found: never): string;
}

const run = (program: string, words: readonly string[], directory = DEPLOY): string =>
  execFileSync(program, words, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const STEPS: readonly Step[] = [
  {
    name: 'prometheus',
    find: promtool,
    check: (path: string) =>
      [
        run(path, ['check', 'config', 'prometheus/prometheus.yaml']),
        run(path, ['test', 'rules', 'prometheus/rules.test.yaml']),
        checkPanels(path),
      ].join(''),
  },
  {
    name: 'Containerfile',
    find: () => join(pythonEngines('deploy-requirements.txt'), 'bin', 'hadolint'),
    check: (path: string) => `${run(path, ['Containerfile'])}no findings\n`,
  },
  { name: 'compose.yaml', find: composeSchema, check: checkCompose },
  { name: 'systemd', find: systemdAnalyze, check: checkUnits },
];

interface Dashboard {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[];
}

/** Expressions of the dashboard, as recording rules, with what Grafana fills in. */
function checkPanels(path: string): string {
  const { panels } = JSON.parse(
    readFileSync(join(DEPLOY, 'grafana', 'dashboards', 'tigraph.json'), 'utf8'),
  ) as Dashboard;
  const rules = panels
    .flatMap(({ targets = [] }) => targets)
    .map(({ expr }, at) => ({
      record: `panel:${at}`,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$role', '.*'),
    }));
  return within('tigraph-panels-', (directory) => {
    const file = join(directory, 'panels.yaml');
    writeFileSync(file, stringify({ groups: [{ name: 'panels', rules }] }));
    return run(path, ['check', 'rules', file]);
  });
}

function within(prefix: string, work: (directory: string) => string): string {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function checkCompose(schema: object): string {
  const file: unknown = parse(readFileSync(join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true });
  const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
  if (ajv.validate(schema, file)) return 'follows the schema of compose files\n';
  throw new Error(ajv.errorsText(ajv.errors, { separator: '\n' }));
}

function systemdAnalyze(): string {
  const [path] = findOnPath('systemd-analyze');
  if (path === undefined) throw new Error('this machine has no systemd-analyze');
  return path;
}

/** The program of a unit has to exist, so that of this checkout takes its place. */
function checkUnits(path: string): string {
  return within('tigraph-units-', (directory) =>
    readdirSync(join(DEPLOY, 'systemd'))
      .map((name) => {
        const unit = join(directory, name.replace('@.', '@api.'));
        const text = readFileSync(join(DEPLOY, 'systemd', name), 'utf8');
        writeFileSync(unit, text.replaceAll('/opt/tigraph/bin/tigraph', PROGRAM));
        run(path, ['verify', '--man=no', unit]);
        const exposure = /exposure level for \S+: ([\d.]+)/.exec(
          run(path, ['security', '--offline=true', '--no-pager', unit]),
        )?.[1];
        if (!(Number(exposure) <= EXPOSURE_MAX)) throw new Error(`${name} has an exposure of ${exposure}.`);
        return `${name}: exposure ${exposure} of 10\n`;
      })
      .join(''),
  );
}

for (const { name, find, check } of STEPS) {
  let found: string | object;
  try {
    found = find();
  } catch (error) {
    console.log(`${name}: skipped: ${(error as Error).message.split('\n', 1)[0]}`);
    continue;
  }
  try {
    console.log(
      `${name}: ${check(found as never)
        .trim()
        .replaceAll('\n', '\n  ')}`,
    );
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    console.error(`${name}: FAILED\n${stdout}${stderr || (error as Error).message}`);
    process.exitCode = 1;
  }
}
