import { beforeAll, describe, expect, it } from 'vitest';
import { findPeers } from '../../../src/pipeline/topology-pass.ts';
import { newBearer } from '../../support/access.ts';
import { expectFaults, expectRefused } from '../../support/answers.ts';
import { appOn, bring, freshApp, serverOf } from '../../support/app.ts';
import { PEER_SYMBOLS, peerMarket } from '../../support/peer-market.ts';

/** The contract of `POST /api/internal/graph-diffusion/compute`, by status. */

const URL = '/api/internal/graph-diffusion/compute';
const NOW = '2024-03-16T12:00:00Z';

const post = (payload: unknown, headers: Record<string, string> = {}, to = server) =>
  to.inject({
    method: 'POST',
    url: URL,
    remoteAddress: '127.0.0.1',
    headers: { host: 'localhost', 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });

const everyone = (value = 0.01): Record<string, number> =>
  Object.fromEntries(PEER_SYMBOLS.map((symbol) => [symbol, value]));

const { app, store } = await freshApp({ TIGRAPH_NOW: NOW });
const server = await serverOf(app);

describe('503', () => {
  it('before a topology is there', async () => {
    await expectRefused(post({ returns: everyone() }), 503, 'topology_not_loaded');
  });

  it('where the operator has switched it off', async () => {
    const off = await serverOf(await appOn(store, { TIGRAPH_NOW: NOW, TIGRAPH_DIFFUSION: 'false' }));
    await expectRefused(post({ returns: everyone(), schema_version: 7 }, {}, off), 503, 'feature_disabled');
  });
});

describe('with a topology', () => {
  beforeAll(async () => {
    await bring(app, peerMarket('2023-01-03', '2024-03-13'));
    await findPeers(app.context, ['2024-03-13']);
  });

  describe('200', () => {
    it('answers every symbol that has a return and peers', async () => {
      const response = await post({ returns: { ...everyone(0.001), A0: 0.08 }, schema_version: 1 });
      expect(response.statusCode, response.body).toBe(200);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      const { scores, ...head } = response.json();
      expect(head).toEqual({
        schema_version: 1,
        simulated: false,
        computed_at: '2024-03-16T12:00:00.000Z',
        symbols_computed: PEER_SYMBOLS.length,
        symbols_skipped: 0,
        topology_built_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });
      expect(scores.map((score: { symbol: string }) => score.symbol)).toEqual([...PEER_SYMBOLS]);
      expect(scores[0]).toEqual({
        symbol: 'A0',
        signal: 'bullish_divergence',
        peers_local: expect.any(Number),
        peers_medium: expect.any(Number),
        peers_broad: expect.any(Number),
        weight_config: 'local_medium_broad',
        local: expect.any(Number),
        medium: expect.any(Number),
        broad: expect.any(Number),
        composite: expect.any(Number),
        contaminated: false,
      });
      const { local, medium, broad, composite } = scores[0];
      expect(composite).toBeCloseTo(0.5 * local + 0.3 * medium + 0.2 * broad, 5);
      // The peers of the one that moved are swayed by it.
      expect(scores[1].contaminated).toBe(true);
    });

    it('needs no version', async () => expect((await post({ returns: everyone() })).statusCode).toBe(200));

    it('skips and counts null, what it does not know, and what has no return', async () => {
      const { A0: _, ...others } = everyone();
      const response = await post({ returns: { ...others, A1: null, ZZZ: 0.01, YYY: null } });
      expect(response.json()).toMatchObject({
        symbols_computed: PEER_SYMBOLS.length - 2,
        // A0 and A1 without a return, ZZZ and YYY unknown.
        symbols_skipped: 4,
      });
    });

    it('takes symbols in any case', async () => {
      const returns = Object.fromEntries(PEER_SYMBOLS.map((symbol) => [symbol.toLowerCase(), 0.01]));
      expect((await post({ returns })).json().symbols_computed).toBe(PEER_SYMBOLS.length);
    });

    it('answers an empty object: nothing computed, everything skipped', async () => {
      expect((await post({ returns: {} })).json()).toMatchObject({
        symbols_computed: 0,
        symbols_skipped: PEER_SYMBOLS.length,
        scores: [],
      });
    });

    it('has room for 20,000 symbols, known to nobody', async () => {
      const unknown = Array.from({ length: 20_000 }, (_, at) => [`UNKNOWN${at}`, -0.012345678901234567]);
      const response = await post({ returns: Object.fromEntries(unknown) });
      expect(response.json()).toMatchObject({
        symbols_computed: 0,
        symbols_skipped: 20_000 + PEER_SYMBOLS.length,
      });
    });

    it('takes the last return of a symbol that is named twice', async () => {
      const text = `{"returns":{${PEER_SYMBOLS.map((symbol) => `"${symbol}":0.001`).join()},"A0":0.08}}`;
      const [twice, once] = await Promise.all([
        post(text),
        post({ returns: { ...everyone(0.001), A0: 0.08 } }),
      ]);
      expect(twice.json().scores).toEqual(once.json().scores);
    });

    it('takes the bounds of a return', async () => {
      expect((await post({ returns: { A0: -1, A1: 1_000, B0: 0 } })).statusCode).toBe(200);
    });
  });

  describe('400', () => {
    it.each([0, 2, -1, 1_000_000])(
      'for schema version %i, whatever its returns look like',
      async (version) => {
        for (const body of [{ returns: everyone() }, { returns: [['A0', 0.01]], other: true }]) {
          await expectRefused(post({ ...body, schema_version: version }), 400, 'unsupported_schema_version');
        }
      },
    );
  });

  describe('422', () => {
    it.each<[string, unknown, string[]]>([
      ['no returns', {}, ['body,returns,missing']],
      ['returns of text', { returns: 'A0' }, ['body,returns,dict_type']],
      ['a list of returns', { returns: [0.01] }, ['body,returns,dict_type']],
      ['null for returns', { returns: null }, ['body,returns,dict_type']],
      ['a return as text', { returns: { A0: '0.01', A1: 0.01 } }, ['body,returns,A0,float_type']],
      ['a return that is true', { returns: { A0: true } }, ['body,returns,A0,float_type']],
      ['a return below -1', { returns: { A0: -1.000_001 } }, ['body,returns,A0,greater_than_equal']],
      ['a return above 1,000', { returns: { A0: 1_000.001 } }, ['body,returns,A0,less_than_equal']],
      ['a version of text', { returns: {}, schema_version: '1' }, ['body,schema_version,int_type']],
      ['a version in parts', { returns: {}, schema_version: 1.5 }, ['body,schema_version,int_type']],
      ['another field', { returns: {}, symbols: [] }, ['body,symbols,extra_forbidden']],
    ])('for %s', async (_, body, expected) => {
      await expectFaults(post(body), ...expected);
    });

    it.each([
      ['a return beyond all numbers', '{"returns":{"A0":1e999}}'],
      ['what is no JSON', '{"returns":'],
      ['an empty body', ''],
    ])('for %s', async (_, text) => {
      expect((await post(text)).statusCode).toBe(422);
    });
  });

  describe('403', () => {
    it('for callers from elsewhere', async () => {
      const asked = {
        method: 'POST',
        url: URL,
        remoteAddress: '10.0.0.1',
        payload: { returns: {} },
      } as const;
      await expectRefused(server.inject(asked), 403, 'forbidden');
    });

    it('for symbols that a grant does not cover', async () => {
      const { database } = app.context;
      const headers = await newBearer({ server, database }, ['internal:call'], { symbols: ['A0', 'A1'] });
      expect((await post({ returns: { A0: 0.01, a1: 0 } }, headers)).statusCode).toBe(200);
      await expectRefused(post({ returns: { A0: 0.01, B0: 0 } }, headers), 403, 'symbol_not_granted');
    });
  });

  it('413 for a body beyond a megabyte', async () => {
    expect((await post({ returns: {}, schema_version: 1, more: 'x'.repeat(1_048_576) })).statusCode).toBe(
      413,
    );
  });
});
