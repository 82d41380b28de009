import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { openApi } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';

/**
 * A service whose disk, the folder given, becomes full and free again while a file is brought over HTTP: says of each
 * step what was answered, as lines of JSON on its standard output, and in the end the bars. Without a file it says the bars.
 */
const [disk, path = ''] = process.argv.slice(2) as [string, string?];
const bytes = path === '' ? Buffer.alloc(0) : readFileSync(path);
const PARTS = 5;
const filler = join(disk, 'filler');

/** Takes every block of the disk, or every name. */
const fill = {
  blocks(): void {
    const { bavail, bsize } = statfsSync(disk);
    writeFileSync(filler, Buffer.alloc(bavail * bsize));
  },
  names(): void {
    mkdirSync(filler);
    try {
      for (let name = 0; ; name++) writeFileSync(join(filler, `${name}`), '');
    } catch {
      // None is left.
    }
  },
};
const free = (): void => rmSync(filler, { recursive: true, force: true });

const app = await openApi(
  loadConfig({
    ...process.env,
    LOG_LEVEL: 'silent',
    TIGRAPH_WORKERS: '1',
    QUERY_TIMEOUT_MS: '60000',
    TIGRAPH_LOOP_DELAY_MAX_MS: '0',
  }),
);
const server = await app.server();

async function call(method: 'GET' | 'POST', url: string, payload?: object) {
  const answer = await server.inject({
    method,
    url: `/api/internal/imports${url}`,
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, ...answer.json() };
}

function say(
  step: string,
  { status, code, state, received, message, detail, report }: Awaited<ReturnType<typeof call>>,
) {
  const rows = report?.rows_kept;
  console.log(JSON.stringify({ step, status, code, state, received, rows, says: detail ?? message }));
}

const create = () => call('POST', '', { name: basename(path), bytes: bytes.length });

async function bring(isFullAt: (part: number) => boolean): Promise<string> {
  const { id } = await create();
  const size = Math.ceil(bytes.length / PARTS);
  for (let part = 0; part < PARTS; part++) {
    const offset = part * size;
    const body = { offset, base64: bytes.subarray(offset, offset + size).toString('base64') };
    if (isFullAt(part)) {
      fill.blocks();
      say(`part ${part}`, await call('POST', `/${id}/parts`, body));
      free();
      say(`after part ${part}`, await call('GET', `/${id}`));
    }
    await call('POST', `/${id}/parts`, body);
  }
  await app.idle();
  return id;
}

async function start(id: string) {
  await call('POST', `/${id}/start`);
  await app.idle();
  return call('GET', `/${id}`);
}

async function bringWhileFull(): Promise<void> {
  fill.names();
  say('entry', await create());
  free();
  const leftOver = readdirSync(join(disk, 'data/uploads'), { recursive: true }).filter((name) =>
    `${name}`.endsWith('.csv'),
  );
  say('list', { state: leftOver.join(), ...(await call('GET', '')) });
  const failing = await bring((part) => part === 0 || part === 2 || part === PARTS - 1);
  say('read', await call('GET', `/${failing}`));
  fill.blocks();
  say('import', await start(failing));
  free();
  say('again', await start(await bring(() => false)));
}

if (path !== '') await bringWhileFull();
const bars = await server.inject('/api/graph/v1/stocks/DISK/bars?interval=1d&limit=1000');
const { next_cursor: _, ...answer } = bars.json();
const digest = hash('sha1', JSON.stringify(answer));
console.log(JSON.stringify({ step: 'bars', rows: answer.time.length, digest }));
await server.close();
await app.close();
