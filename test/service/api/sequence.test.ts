import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { appOn, bring, freshStore, openTestApp, serverOf } from '../../support/app.ts';
import { postRun, RUNS } from '../../support/backtests.ts';
import { dailyBars, minuteBars } from '../../support/market.ts';

/** Two replicas and a writer of one installation: what one has acknowledged, another answers. */

type Server = Awaited<ReturnType<App['server']>>;

const SETTINGS = { TIGRAPH_NOW: '2024-03-13T15:00:00Z' };
const STOCK = '/api/graph/v1/stocks/ACME?date=2024-03-12';
const RUN = { symbols: ['ACME'], start_date: '2024-02-01', end_date: '2024-03-12' };

const lastPriceOf = async (server: Server, headers: Record<string, string>) => {
  const answer = await server.inject({ url: STOCK, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().last_price as number;
};

const store = await freshStore();
const writer = await appOn(store, SETTINGS);
const minutes = minuteBars('ACME', '2024-02-01', '2024-03-13');
await bring(writer, [dailyBars('ACME', '2023-06-01', '2024-03-12'), minutes]);
const openReplica = async () => {
  const app = await appOn(store, SETTINGS);
  return { app, server: await serverOf(app, { executesBacktests: false }) };
};
const replicas = [await openReplica(), await openReplica()];

describe('the sequence of a write', () => {
  it('is answered by the write, and lets another replica answer with what was written', async () => {
    const [one, other] = replicas as [(typeof replicas)[0], (typeof replicas)[0]];
    const written = await postRun(one.server, { ...RUN, signal_types: ['vwap_touch'] });
    expect(written.statusCode, written.body).toBe(200);
    const sequence = written.headers['tigraph-sequence'];
    expect(sequence).toMatch(/^\d+$/);
    const run = await other.server.inject({
      url: `${RUNS}/${written.json().id}`,
      headers: { 'tigraph-sequence': String(sequence) },
    });
    expect(run.statusCode).toBe(200);
    const read = await one.server.inject({ url: STOCK });
    expect(read.headers['tigraph-sequence']).toBeUndefined();
  });

  it('of a correction is waited for by every replica that is asked with it', async () => {
    for (let round = 0; round < 5; round++) {
      const corrected = dailyBars('ACME', '2023-06-01', '2024-03-12');
      const last = corrected.columns.close.length - 1;
      corrected.columns.close[last]! += (round + 1) / 8;
      corrected.columns.high[last]! += 1;
      // What is answered now is kept until the correction is heard of.
      for (const { server } of replicas) await lastPriceOf(server, {});
      await bring(writer, [corrected]);
      const headers = { 'tigraph-sequence': String(await writer.context.database.announced()) };
      for (const { server } of replicas)
        expect(await lastPriceOf(server, headers)).toBeCloseTo(corrected.columns.close[last]!, 3);
    }
  });

  it.each(['-1', '1.5', 'soon', '9'.repeat(16), '999999999999999'])(
    'is refused where no write can have answered it: %s',
    async (sequence) => {
      const answer = await replicas[0]!.server.inject({
        url: STOCK,
        headers: { 'tigraph-sequence': sequence },
      });
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'malformed_request']);
    },
  );
});

describe('waiting until all serve what was written', () => {
  it('counts the processes that answer callers, and none that has closed', async () => {
    expect(await writer.served()).toBe(2);
    const third = await openTestApp(store, SETTINGS);
    const server = await third.server();
    expect(await writer.served()).toBe(3);
    await server.close();
    await third.close();
    expect(await writer.served()).toBe(2);
  });

  it('waits for one that is behind, until it has heard or is gone', async () => {
    const { database } = writer.context;
    const slow = '00000000-0000-4000-8000-000000000000';
    await database.query(
      `insert into serving_process (id, heard, expires_at) values ($1, 0, clock_timestamp() + interval '1 hour')`,
      [slow],
    );
    let isOver = false;
    const served = writer.served().finally(() => {
      isOver = true;
    });
    await Promise.all(replicas.map(({ app }) => app.idle()));
    expect(isOver).toBe(false);
    await database.query('update serving_process set heard = $2 where id = $1', [slow, 1_000_000]);
    await database.announce('tigraph_heard_answer', '');
    expect(await served).toBe(3);
    await database.query('delete from serving_process where id = $1', [slow]);
  });
});
