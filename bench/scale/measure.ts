import { setTimeout as delay } from 'node:timers/promises';
import { Member } from '../../test/desk/desk.ts';
import { announceAll, onDatabase, touchAll, waiting } from '../../test/desk/dirty-days.ts';
import { type Installation, startEngines } from '../../test/desk/engines.ts';
import { between, type Gauges, openGauges, STREAMS, type Used } from './gauges.ts';
import { carryMinutes } from './live-minutes.ts';
import { BEFORE, LAST_DATE, makeMarket, type Size } from './market.ts';
import type { Row } from './table.ts';

const POLL_MS = 100;
const PASS_LIMIT_MS = 10 * 60_000;
/** As a server is set up that keeps what it has committed: pages are logged whole after a checkpoint. */
const SETTINGS = { full_page_writes: 'on' };

/** Measures what a stock-day and a stock-minute take, on PostgreSQL and NATS of this machine. */
export async function* measure(
  size: Size,
): AsyncIterable<{ readonly title: string; readonly rows: readonly Row[] }> {
  const engines = await startEngines(SETTINGS);
  try {
    const market = await makeMarket(engines, 'scale', size);
    const { databaseUrl } = market;
    const settings = { ...market.settings, NATS_URL: engines.nats.url };
    const gauges = await openGauges(databaseUrl, engines.nats.url);
    const pass = await onePass(databaseUrl, settings, size, gauges);
    yield { title: `a pass over ${pass.days} stock-days`, rows: pass.rows };
    yield { title: 'segments', rows: await segmentRows(databaseUrl) };
    yield { title: 'tables after the pass', rows: await tableRows(databaseUrl) };
    yield {
      title: `minutes of ${size.symbols} live symbols`,
      rows: await liveRows(databaseUrl, settings, size, gauges),
    };
    yield { title: 'tables after these minutes', rows: await tableRows(databaseUrl) };
    await gauges.close();
  } finally {
    await engines.stop();
  }
}

/** A pass that a scheduler plans and one worker with one thread derives. */
async function onePass(url: string, settings: Installation['settings'], size: Size, gauges: Gauges) {
  const environment = { ...settings, TIGRAPH_NOW: BEFORE };
  const members = await Promise.all([
    Member.of('scheduler', 'scheduler', environment),
    Member.of('worker', 'worker', environment),
  ]);
  const [scheduler, worker] = members;
  for (const member of members) member.start();
  await Promise.all(members.map((member) => member.untilReady()));
  await touchAll(url, LAST_DATE, size.sessions);
  await onDatabase(url, 'checkpoint');
  const [begun] = await onDatabase<{ at: Date }>(url, 'select clock_timestamp() as at');
  const spent = members.map((member) => member.processorMs());
  const before = await gauges.read();
  await announceAll(url);
  for (const end = Date.now() + PASS_LIMIT_MS; (await waiting(url)) > 0; await delay(POLL_MS)) {
    if (Date.now() > end) throw new Error('the pass is not done in time');
  }
  const used = between(before, await gauges.read());
  const [written] = await onDatabase<{ days: number; seconds: number }>(
    url,
    `select count(*)::float8 as days, extract(epoch from max(derived_at) - min(derived_at))::float8 as seconds
     from stock_day where derived_at > $1`,
    [begun!.at],
  );
  const { days, seconds } = written!;
  const rows: Row[] = [
    ...usedRows(used, days, 'stock-day'),
    ['processor of the worker', each(worker!.processorMs() - spent[1]!, days, 'ms')],
    ['processor of the scheduler', each(scheduler!.processorMs() - spent[0]!, days, 'ms')],
    ['one worker with one thread', `${(days / seconds).toFixed(0)} stock-days/s`],
  ];
  await Promise.all(members.map((member) => member.kill('SIGTERM')));
  return { days, rows };
}

async function liveRows(
  url: string,
  settings: Installation['settings'],
  { symbols, minutes }: Size,
  gauges: Gauges,
): Promise<Row[]> {
  let before: Used | undefined;
  const carried = await carryMinutes(settings, { symbols, workers: 1, minutes }, async () => {
    await onDatabase(url, 'checkpoint');
    before = await gauges.read();
  });
  const used = between(before!, await gauges.read());
  const derived = carried.steps.reduce((sum, step) => sum + step.symbols, 0);
  const messages = STREAMS.reduce((sum, stream) => sum + used.bus[stream].messages, 0);
  const rows = carried.steps.reduce((sum, step) => sum + step.rows, 0);
  return [
    ...usedRows(used, derived, 'stock-minute'),
    ['processor of the worker', each(carried.workersMs, derived, 'ms')],
    ['processor of the process with the feed', each(carried.liveMs, derived, 'ms')],
    ['rows of the feed', each(rows, derived, 'rows')],
    ['messages of a whole minute', (messages / carried.steps.length).toFixed(0)],
  ];
}

const usedRows = ({ walBytes, bus, postgresMs, natsMs }: Used, units: number, unit: string): Row[] => [
  ['', `a ${unit}`],
  ['log of PostgreSQL', each(walBytes / 1_000, units, 'KB')],
  ...STREAMS.map(
    (stream): Row => [
      `bus, ${stream}`,
      `${(bus[stream].messages / units).toFixed(3)} messages, ${each(bus[stream].bytes, units, 'bytes')}`,
    ],
  ),
  ['processor of PostgreSQL', each(postgresMs, units, 'ms')],
  ['processor of three NATS servers', each(natsMs, units, 'ms')],
];

const each = (amount: number, units: number, of: string): string => `${(amount / units).toFixed(2)} ${of}`;

/** Bytes of the tape, from the manifest. */
async function segmentRows(url: string): Promise<Row[]> {
  const kinds = await onDatabase<{ kind: string; bytes: number; rows: number; days: number }>(
    url,
    `select kind, sum(bytes)::float8 as bytes, sum(rows)::float8 as rows, (
       select sum(case when cardinality(days) > 0 then cardinality(days) else rows end)
       from (select kind, days, rows from tape_slice union all select 'chains', '{}', 1 from chain_slice) as slice
       where slice.kind = tape_segment.kind)::float8 as days
     from tape_segment group by kind order by kind`,
  );
  return [
    ['series', 'bytes a symbol-day', 'rows a symbol-day', 'bytes a row'],
    ...kinds.map(({ kind, bytes, rows, days }) => [
      kind,
      ...[bytes / days, rows / days, bytes / rows].map((figure) => figure.toFixed(0)),
    ]),
  ];
}

/** Bytes of tables, their partitions, indexes and long values. */
async function tableRows(url: string): Promise<Row[]> {
  await onDatabase(url, 'vacuum analyze');
  const tables = await onDatabase<{ name: string; bytes: number; indexes: number; rows: number }>(
    url,
    `select coalesce(pg_partition_root(c.oid), c.oid)::regclass::text as name,
       sum(pg_total_relation_size(c.oid))::float8 as bytes, sum(pg_indexes_size(c.oid))::float8 as indexes,
       sum(greatest(c.reltuples, 0))::float8 as rows
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
     group by 1 having sum(pg_total_relation_size(c.oid)) > 1000000 order by 2 desc`,
  );
  const [stored] = await onDatabase<{ days: number }>(url, 'select count(*)::float8 as days from stock_day');
  return [
    ['table', 'bytes a stock-day', 'of them indexes', 'rows a stock-day'],
    ...tables.map(({ name, bytes, indexes, rows }) => [
      name,
      (bytes / stored!.days).toFixed(0),
      (indexes / stored!.days).toFixed(0),
      (rows / stored!.days).toFixed(2),
    ]),
  ];
}
