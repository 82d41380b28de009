import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeScratchDirectory } from '../support/scratch.ts';
import { command, Member, PROGRAM_PARTS, programIn } from './desk.ts';
import type { Report } from './report.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Follows "Update" of docs/operating.md on one machine, from the version before the newest change of the database, forth
 * and back again.
 */
export async function update(report: Report): Promise<void> {
  const scratch = makeScratchDirectory();
  const old = versionBefore(scratch);
  if (old === null) return report.note('skipped: the history of the repository is not here');
  const base = { DATABASE_URL: '', NATS_URL: '', TIGRAPH_TAPE: '', TIGRAPH_NOW: '2024-03-08T08:30:00Z' };
  const environment = { ...base, TIGRAPH_DATA_DIR: join(scratch, 'data') };
  const market = ['--symbols', '5', '--days', '60', '--minutes', '1', '--end', '2024-03-07'];
  await command(['simulate', ...market], environment, old);
  const backup = join(scratch, 'before-update');
  await command(['backup', backup], environment, old);
  const read = await command(['verify', backup], environment, old);
  report.check('the backup is whole', /whole/.test(read), read);

  const symbols = await symbolsServed(environment, report, 'the old version', old);
  const after = await symbolsServed(environment, report, 'the new version');
  report.check('the new version has the same stocks', after === symbols, `${symbols} | ${after}`);
  const whole = await command(['verify'], environment);
  report.check('the updated store is whole', /whole/.test(whole), whole);

  const refused = await command(['sync'], environment, old).catch((error: Error) => error.message);
  report.check('the old version refuses it', refused.includes('this version of the program'), refused);
  const back = { ...base, TIGRAPH_DATA_DIR: join(scratch, 'back') };
  await command(['restore', backup], back, old);
  const restored = await symbolsServed(back, report, 'the old version on the backup', old);
  report.check('the way back has the same stocks', restored === symbols, `${symbols} | ${restored}`);
}

/** The newest program of the history with fewer of the migrations; null without the history. */
function versionBefore(scratch: string): string | null {
  const directory = join(scratch, 'old');
  const git = (...words: string[]) => execFileSync('git', ['-C', ROOT, ...words], { maxBuffer: 1e9 });
  const migrationsOf = (commit: string): string => git('ls-tree', commit, 'migrations/').toString();
  try {
    const now = migrationsOf('HEAD');
    const commits = git('log', '--first-parent', '--format=%H', '--', 'migrations')
      .toString()
      .trim()
      .split('\n');
    const old = commits.find((commit) => {
      const migrations = migrationsOf(commit);
      return migrations.length < now.length && now.startsWith(migrations);
    });
    if (old === undefined) return null;
    mkdirSync(directory);
    execFileSync('tar', ['-x', '-C', directory], { input: git('archive', old, ...PROGRAM_PARTS) });
  } catch {
    return null;
  }
  return programIn(directory);
}

/** What a process of a version answers that is started and stopped in order. */
async function symbolsServed(
  environment: Readonly<Record<string, string>>,
  report: Report,
  what: string,
  program?: string,
): Promise<string> {
  const member = await Member.of(what.replaceAll(' ', '-'), 'all', environment, program);
  member.start();
  await member.untilReady();
  const { symbols } = (await (await fetch(`${member.url}/api/graph/v1/symbols?limit=100`)).json()) as {
    symbols: { symbol: string }[];
  };
  for (const { symbol } of symbols) {
    const { status } = await fetch(`${member.url}/api/graph/v1/stocks/${encodeURIComponent(symbol)}`);
    report.check(`${what} answers ${symbol}`, status === 200, `${status}`);
  }
  report.check(`${what} stops in order`, (await member.kill('SIGTERM')) === 0, 'exit code');
  return symbols.map(({ symbol }) => symbol).join();
}
