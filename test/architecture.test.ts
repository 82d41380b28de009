import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * The arrow rule: data falls one way through the house, and so do imports. Rooms are the folders of `src`; `main`,
 * `app` and the worker's entry compose them and may import all.
 */

const SOURCE = resolve(import.meta.dirname, '../src');

/** What a room may import: another room, one of its files, or (with `types:`) only types of it. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  base: [],
  market: ['base'],
  analysis: ['types:market/observations.ts'],
  embedding: ['base'],
  graph: ['base'],
  blocks: ['base', 'types:market', 'analysis'],
  sync: ['base', 'market', 'blocks', 'graph'],
  operations: ['base', 'market/tape', 'analysis', 'blocks', 'graph'],
  http: ['base', 'operations'],
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

const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : '');

function isAllowed({ from, to, typesOnly }: Import): boolean {
  const room = roomOf(from);
  if (room === '' || room === 'main' || room === roomOf(to)) return true;
  return (ARROWS[room] ?? []).some((arrow) => {
    const target = arrow.replace('types:', '');
    const within = to === target || to.startsWith(`${target}/`) || to === `${target}.ts`;
    return within && (typesOnly || !arrow.startsWith('types:'));
  });
}

/** The first circle that a walk along the imports meets, as the files on it. */
function findCircle(): string[] | null {
  const targets = Map.groupBy(
    imports.filter((one) => !one.typesOnly),
    (one) => one.from,
  );
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

describe('the arrow rule', () => {
  it('reads the imports of the house', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.filter(({ to }) => !files.includes(to) && !to.endsWith('.json'))).toEqual([]);
  });

  it('knows every room', () => {
    const rooms = new Set(files.map(roomOf).filter((room) => room !== '' && room !== 'main'));
    expect([...rooms].sort()).toEqual(Object.keys(ARROWS).sort());
  });

  it('has no import against an arrow', () => {
    const wrong = imports.filter((one) => !isAllowed(one));
    expect(wrong.map(({ from, to, typesOnly }) => `${from} -> ${to}${typesOnly ? ' (types)' : ''}`)).toEqual(
      [],
    );
  });

  it('has no circle', () => {
    expect(findCircle()).toBeNull();
  });

  it('would notice an import against an arrow', () => {
    expect(isAllowed({ from: 'analysis/rsi.ts', to: 'base/clock.ts', typesOnly: false })).toBe(false);
    expect(isAllowed({ from: 'blocks/levels.ts', to: 'market/tape/index.ts', typesOnly: false })).toBe(false);
    expect(isAllowed({ from: 'http/routes.ts', to: 'graph/read-facts.ts', typesOnly: true })).toBe(false);
    expect(isAllowed({ from: 'operations/get-stock.ts', to: 'market/feed.ts', typesOnly: false })).toBe(
      false,
    );
  });

  it('keeps environment, clock and randomness out of the mathematics', () => {
    for (const file of files.filter((name) => name.startsWith('analysis/') || name.startsWith('blocks/'))) {
      const text = readFileSync(resolve(SOURCE, file), 'utf8');
      expect(text, file).not.toMatch(/process\.env|Date\.now|Math\.random|new Date\(\)|\basync\b|\bawait\b/);
    }
  });
});
