import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Imports between the folders of `src` go one way, types included, and in no circle. What a folder may import stands in
 * this table; ARCHITECTURE.md says why.
 */

const SOURCE = resolve(import.meta.dirname, '../../src');

/** What a folder may import: another folder, or (with `types:`) only types of it. */
const EDGES: Readonly<Record<string, readonly string[]>> = {
  base: [],
  database: ['base'],
  bus: ['base', 'database'],
  market: ['base', 'database'],
  analysis: ['types:market'],
  blocks: ['base', 'types:market', 'analysis'],
  derive: ['base', 'market', 'analysis', 'blocks'],
  graph: ['base', 'database'],
  workers: ['base', 'market', 'analysis', 'blocks', 'derive'],
  pipeline: ['base', 'database', 'bus', 'market', 'blocks', 'derive', 'graph', 'workers'],
  api: ['base', 'database', 'bus', 'market', 'analysis', 'blocks', 'derive', 'graph', 'workers'],
  cli: ['base', 'market', 'pipeline', 'api', 'root'],
  root: [
    'base',
    'database',
    'bus',
    'market',
    'analysis',
    'blocks',
    'derive',
    'graph',
    'workers',
    'pipeline',
    'api',
    'cli',
  ],
};

interface Import {
  readonly from: string;
  readonly to: string;
  readonly typesOnly: boolean;
}

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const text = readFileSync(resolve(SOURCE, file), 'utf8');
  const statements = text.matchAll(/^(?:import|export)\s(?:[^;'"]*?\sfrom\s)?['"](\.[^'"]+)['"]/gm);
  const dynamic = text.matchAll(/\bimport\(\s*['"](\.[^'"]+)['"]|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g);
  return [
    ...Array.from(statements, (match) => ({
      from: file,
      to: relative(SOURCE, resolve(SOURCE, dirname(file), match[1]!)),
      typesOnly: isTypesOnly(match[0]),
    })),
    ...Array.from(dynamic, (match) => ({
      from: file,
      to: relative(SOURCE, resolve(SOURCE, dirname(file), (match[1] ?? match[2])!)),
      typesOnly: false,
    })),
  ];
}

/** `import type {…}`, `export type {…}`, or a list in which every name is marked `type`. */
function isTypesOnly(statement: string): boolean {
  if (/^(?:import|export)\s+type\s/.test(statement)) return true;
  const names = /\{([^}]*)\}/.exec(statement)?.[1];
  if (names === undefined || /^(?:import|export)\s+\w/.test(statement)) return false;
  return names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .every((name) => name.startsWith('type '));
}

/** A socket has a `setTimeout` of its own. */
const RAW_TIME =
  /(?<!\.)\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\b(?:Date|performance)\.now\b|\bhrtime\b|new Date\(\)|node:timers/;

const folderOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : 'root');

/** Routes and the server; in a folder of `api` everything else is a use case, which knows neither. */
const isRouting = (file: string): boolean =>
  file.startsWith('api/server/') || /^api\/\w+\/routes\.ts$/.test(file);

function isAllowed({ from, to, typesOnly }: Import): boolean {
  if (isRouting(to) && !isRouting(from) && folderOf(from) === 'api') return false;
  const [folder, target] = [folderOf(from), folderOf(to)];
  if (folder === target) return true;
  return EDGES[folder]!.some((edge) => edge === target || (typesOnly && edge === `types:${target}`));
}

/** The first circle that a walk along the imports meets, as the files on it. */
function findCircle(): string[] | null {
  const targets = Map.groupBy(imports, (one) => one.from);
  const done = new Set<string>();
  const walk = (file: string, path: readonly string[]): string[] | null => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return null;
    for (const { to } of targets.get(file) ?? []) {
      const circle = walk(to, [...path, file]);
      if (circle !== null) return circle;
    }
    done.add(file);
    return null;
  };
  for (const file of files) {
    const circle = walk(file, []);
    if (circle !== null) return circle;
  }
  return null;
}

describe('the layout of src', () => {
  it('is read whole', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter(({ to }) => !files.includes(to) && !to.endsWith('.json'))).toEqual([]);
  });

  it('has the folders of the table, at most two levels deep, and three files at its root', () => {
    expect([...new Set(files.map(folderOf))].sort()).toEqual(Object.keys(EDGES).sort());
    expect(files.filter((file) => file.split('/').length > 3)).toEqual([]);
    expect(files.filter((file) => !file.includes('/'))).toEqual(['app.ts', 'config.ts', 'main.ts']);
  });

  it('has no import that the table does not allow', () => {
    const wrong = imports.filter((one) => !isAllowed(one));
    expect(wrong.map(({ from, to, typesOnly }) => `${from} -> ${to}${typesOnly ? ' (types)' : ''}`)).toEqual(
      [],
    );
  });

  it('has no circle of imports', () => {
    expect(findCircle()).toBeNull();
  });

  it('speaks HTTP in routes and in the server alone', () => {
    const speakers = files.filter((file) =>
      /from 'fastify'/.test(readFileSync(resolve(SOURCE, file), 'utf8')),
    );
    expect(speakers.filter((file) => !isRouting(file))).toEqual([]);
  });

  it('would notice an import that is not allowed', () => {
    const allowed = (from: string, to: string, typesOnly = false) => isAllowed({ from, to, typesOnly });
    expect(allowed('analysis/rsi.ts', 'base/clock.ts')).toBe(false);
    expect(allowed('blocks/levels.ts', 'market/tape/index.ts')).toBe(false);
    expect(allowed('blocks/levels.ts', 'market/stock-view.ts', true)).toBe(true);
    expect(allowed('api/stocks/get-stock.ts', 'pipeline/ingest.ts')).toBe(false);
    expect(allowed('api/stocks/get-stock.ts', 'api/server/answer.ts')).toBe(false);
    expect(allowed('api/stocks/get-stock.ts', 'api/chat/routes.ts')).toBe(false);
    expect(allowed('api/stocks/routes.ts', 'api/server/answer.ts')).toBe(true);
  });

  it('takes timers and the time from one file of base alone', () => {
    const users = files.filter((file) => RAW_TIME.test(readFileSync(resolve(SOURCE, file), 'utf8')));
    expect(users).toEqual(['base/timers.ts']);
  });

  it('keeps environment, clock and randomness out of the mathematics', () => {
    for (const file of files.filter((name) => name.startsWith('analysis/') || name.startsWith('blocks/'))) {
      const text = readFileSync(resolve(SOURCE, file), 'utf8');
      expect(text, file).not.toMatch(/process\.env|Date\.now|Math\.random|new Date\(\)|\basync\b|\bawait\b/);
    }
  });
});
