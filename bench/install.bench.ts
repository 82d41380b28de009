/** Promise: `npm ci` adds at most 250 MB to an empty npm cache. */

import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BenchLine, timeOf } from './report.ts';
import { removeFolder, temporaryFolder } from './universe.ts';

const PROMISED_MB = 250;
const ROOT = new URL('../', import.meta.url).pathname;
/** What npm reads of the project and of its workspaces. */
const READ = [
  'package.json',
  'package-lock.json',
  '.npmrc',
  'explorer/package.json',
  'clients/typescript/package.json',
];

export async function run(): Promise<BenchLine[]> {
  const folder = temporaryFolder();
  try {
    for (const file of READ.filter((name) => existsSync(join(ROOT, name)))) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(ROOT, file), join(folder, file));
    }
    const cache = join(folder, 'cache');
    const words = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--cache', cache];
    const tookMs = await timeOf(() => promisify(execFile)('npm', words, { cwd: folder }));
    const megabytes = bytesUnder(cache) / 1e6;
    return [
      {
        promise: 'what npm ci adds to an empty cache',
        figure: `${megabytes.toFixed(0)} MB`,
        target: `at most ${PROMISED_MB} MB`,
        met: megabytes <= PROMISED_MB,
        note: `in ${(tookMs / 1000).toFixed(0)} s, scripts of packages left out`,
      },
    ];
  } finally {
    removeFolder(folder);
  }
}

const bytesUnder = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
