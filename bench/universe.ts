import { hash } from 'node:crypto';
import {
  constants,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type App, openApi } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { DERIVATION } from '../src/derive/derivation.ts';
import { SCREEN_CATALOGUE } from '../src/derive/projection.ts';
import { bringRecordsUpToDate } from '../src/pipeline/record-pass.ts';
import { bringStatesUpToDate } from '../src/pipeline/state-pass.ts';
import { runCommand } from './program.ts';

/** A simulated market that several benches read. */
export interface Universe {
  readonly symbols: number;
  readonly days: number;
  readonly minuteSessions: number;
}

/** The market of most promises: two years of daily bars and a session of minutes. */
export const FIVE_HUNDRED: Universe = { symbols: 500, days: 504, minuteSessions: 1 };

/** Last trade date of every market here: fixed, so that a market made today serves tomorrow too. */
export const LAST_DATE = '2024-06-28';
const SEED = 1;
const SYMBOLS = 'symbols.json';

const KEPT = fileURLToPath(new URL('.data/', import.meta.url));
/** What a data directory's content follows from: answers of one derivation are equal. */
const SOURCES = ['migrations', 'src/simulated', 'src/tape', 'src/graph'].map((folder) =>
  fileURLToPath(new URL(`../${folder}/`, import.meta.url)),
);

/**
 * A copy of a data directory that holds the market with its newest session derived. Markets are kept under
 * `bench/.data` and made anew when the program has changed; the caller removes the copy.
 */
export async function copyOfUniverse(universe: Universe): Promise<string> {
  const kept = await keptUniverse(universe);
  const copy = temporaryFolder();
  cpSync(kept, copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  return copy;
}

/** The symbols of a copied market that have a bar, in alphabetical order. */
export const symbolsOf = (copy: string): string[] => JSON.parse(readFileSync(join(copy, SYMBOLS), 'utf8'));

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'tigraph-bench-'));

export const removeFolder = (folder: string): void =>
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });

async function keptUniverse(universe: Universe): Promise<string> {
  const { symbols, days, minuteSessions } = universe;
  const name = `${symbols}x${days}x${minuteSessions}`;
  const folder = join(KEPT, `${name}-${programDigest()}`);
  if (existsSync(folder)) return folder;
  mkdirSync(KEPT, { recursive: true });
  for (const old of readdirSync(KEPT)) {
    if (old.startsWith(`${name}-`)) removeFolder(join(KEPT, old));
  }
  // Made beside its final name: an interruption must not leave half a market that counts as whole.
  const unfinished = `${folder}.unfinished`;
  console.error(`making a market of ${symbols} symbols over ${days} sessions`);
  const settings = { symbols, days, minutes: minuteSessions, ticks: 0, seed: SEED, end: LAST_DATE };
  const words = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, `${value}`]);
  await runCommand(['simulate', ...words], unfinished);
  const app = await openBenchApp(unfinished);
  // A service on a market without states or claims would derive them while it is measured.
  await bringStatesUpToDate(app.context);
  if (symbols <= FIVE_HUNDRED.symbols) await bringRecordsUpToDate(app.context);
  // Counting the claims of thousands takes longer than what is measured of them.
  else await app.context.database.query('delete from claim_touched');
  writeFileSync(join(unfinished, SYMBOLS), JSON.stringify(await app.context.tape.symbols()));
  await app.close();
  renameSync(unfinished, folder);
  return folder;
}

/** The program without its HTTP face, in this process, on a data directory. */
export const openBenchApp = (dataDirectory: string): Promise<App> =>
  openApi(loadConfig({ TIGRAPH_DATA_DIR: dataDirectory, LOG_LEVEL: 'silent' }));

function programDigest(): string {
  const texts = SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => `${file.slice(folder.length)}\n${readFileSync(file, 'utf8')}`),
  );
  const derived = [`${DERIVATION}`, SCREEN_CATALOGUE.digest];
  return hash('sha1', [...texts, ...derived].join('\0'), 'hex').slice(0, 12);
}
