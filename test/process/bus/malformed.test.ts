import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { takeBacktestSlices } from '../../../src/backtests/slices.ts';
import { takeDayWork } from '../../../src/pipeline/day-work.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { takeMinuteWork } from '../../../src/pipeline/minute-work.ts';
import { type NatsServers, startNats } from '../../engines/nats.ts';
import { bring, openTestApp } from '../../support/app.ts';
import { makeTestStore, type TestStore, testsRunOn } from '../../support/database.ts';
import { anyCharacter } from '../../support/for-all.ts';
import { dailyBars } from '../../support/market.ts';

const PROGRAM = process.env.NATS_SERVER;
const SYMBOLS = ['ACME', 'BETA', 'CORE'];
const SCOPE = { kind: 'range', from: '2024-03-04', to: '2024-03-12' } as const;
const PATHS = [
  '/api/graph/v1/status',
  '/api/graph/v1/symbols?q=a',
  '/api/graph/v1/stocks/ACME?date=2024-03-12',
  '/api/graph/v1/market/context?date=2024-03-12',
];
/** Of each subject. */
const MESSAGES = 1_000;

/** What this program never writes: no JSON, another shape, another version, symbols and dates that are none. */
const malformed = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.string({ unit: anyCharacter, maxLength: 100 }),
  fc.json(),
  fc
    .record({ version: fc.oneof(fc.integer({ min: 2 }), fc.string()), plan: fc.nat() })
    .map((it) => JSON.stringify(it)),
  fc.constantFrom(
    '{"plan":1,"jobs":[{"symbol":"A\\u0000B","days":[]}],"markets":{}}',
    '{"plan":1,"jobs":[{"symbol":"ACME","days":[{"tradeDate":"today","asOf":1}]}],"markets":{}}',
    '{"run":"x","symbol":"ACME","spec":{},"dataVersion":"y"}',
    'A\u0000B',
    'ACME A\u0000B =7',
    '#2024-03-12,soon ACME',
    'not-a-run completed',
    '',
  ),
);

describe.skipIf(PROGRAM === undefined || testsRunOn === 'embedded')(
  'malformed messages',
  { timeout: 90_000 },
  () => {
    let nats: NatsServers;
    let store: TestStore;
    let reader: App;
    let worker: App;
    let stranger: NatsConnection;

    beforeAll(async () => {
      nats = await startNats(PROGRAM!, 1);
      store = await makeTestStore();
      const settings = { TIGRAPH_NOW: '2024-03-13T15:00:00Z', NATS_URL: nats.url };
      reader = await openTestApp(store, settings);
      worker = await openTestApp(store, settings);
      await bring(
        reader,
        SYMBOLS.map((symbol) => dailyBars(symbol, '2023-06-01', '2024-03-12')),
      );
      stranger = await connect({ servers: nats.url });
    });

    afterAll(async () => {
      await stranger?.close();
      await reader?.close();
      await worker?.close();
      await store?.remove();
      await nats?.stop();
    });

    it('of a thousand on every subject change no answer; they are refused, counted and left', async () => {
      const { scope, bus } = worker.context;
      takeDayWork(scope, worker.context, bus!, 1);
      takeMinuteWork(scope, worker.context, bus!);
      takeBacktestSlices(scope, worker.context, bus!);
      await syncGraph(reader.context, SCOPE);
      const server = await reader.server();
      const answers = async () => {
        await reader.idle();
        return Promise.all(
          PATHS.map(async (url) => {
            const { statusCode, body } = await server.inject(url);
            expect(statusCode, body).toBe(200);
            return url.endsWith('status') ? statusCode : body;
          }),
        );
      };
      await answers();
      const before = await answers();

      const manager = await jetstreamManager(stranger);
      const names = await manager.streams.names().next();
      const prefix = names.find((name) => name.endsWith('_work'))!.slice(0, -'_work'.length);
      const subjects = [
        'announce.tigraph_changed',
        'announce.tigraph_backtest',
        'announce.tigraph_heard_question',
        'announce.nobody',
        'work.days',
        'work.backtest',
        'work.minute.3',
        'work.nobody',
        `answer.${reader.context.bus!.self}.1`,
        'dead.days',
      ];
      for (const subject of subjects)
        for (const message of fc.sample(malformed, { numRuns: MESSAGES, seed: 35 }))
          stranger.publish(`${prefix}.${subject}`, message);
      await stranger.flush();
      // Behind them in every queue.
      const again = await syncGraph(reader.context, SCOPE);
      expect(again).toMatchObject({ derived: 21, written: 0, unchanged: 21, failed: [] });
      expect(await answers()).toEqual(before);

      const letters = await bus!.deadLetters();
      expect(letters.length).toBeGreaterThan(500);
      expect(letters.every(({ work, error }) => typeof work === 'string' && error !== null)).toBe(true);
      const metrics = (await server.inject('/metrics')).body;
      expect(metrics).toMatch(/tigraph_announcements_unread_total\{channel="tigraph_changed"\} [1-9]/);
      await server.close();
      const probe = await worker.probeServer();
      const counted = (await probe.inject('/metrics')).body;
      expect(counted).toMatch(/tigraph_bus_refused_total\{queue="days",reason="malformed"\} [1-9]/);
      expect(counted).toMatch(/tigraph_bus_refused_total\{queue="days",reason="unknown_version"\} [1-9]/);
      await probe.close();
    });
  },
);
