import { describe, expect, it } from 'vitest';
import { expectDocumented } from '../../support/answers.ts';
import { openChainService } from '../../support/chain-service.ts';

/** The contract of `GET /api/graph/v1/options/{symbol}/exposure`, by status. */

const exposure = (query = '', symbol = 'ACME', token?: string) =>
  service.get(`${symbol}/exposure${query}`, token);

const service = await openChainService('2024-03-13T19:10:00Z');

describe('the age of a chain', () => {
  const ageAt = async (now: string) => {
    const later = await openChainService(now);
    const read = async () => (await later.get('ACME/exposure')).json();
    const [first, again] = [await read(), await read()];
    expect([again.sessions_old, again.age_minutes]).toEqual([first.sessions_old, first.age_minutes]);
    return first;
  };

  it('is said of the chain of the session before, which is not stale', async () => {
    // 09:15 by New York's summer time, without the real-time feed.
    const answer = await ageAt('2024-03-14T13:30:00Z');
    expect(answer).toMatchObject({
      source_time: '2024-03-13T19:00:00.000Z',
      sessions_old: 1,
      age_minutes: 18 * 60 + 15,
      availability: 'available',
    });
    expect(answer.availability_qualifier).toMatch(/^The chain is of 2024-03-13 15:00, the session before\./);
  });

  it('makes an older one stale', async () => {
    const answer = await ageAt('2024-03-15T13:30:00Z');
    expect([answer.sessions_old, answer.availability]).toEqual([2, 'stale']);
    expect(answer.availability_qualifier).toMatch(
      /^The newest chain is of 2024-03-13 15:00, 2 sessions ago\./,
    );
  });
});

describe('200', () => {
  it('gives the exposure by strike and by expiration with walls, flip and the assumption behind them', async () => {
    const answer = (await exposure()).json();
    expect(answer).toMatchObject({
      symbol: 'ACME',
      spot_price: 101,
      source_time: '2024-03-13T16:00:00.000Z',
      assumption: 'Dealers are taken to be long every call and short every put; real books differ.',
      availability: 'available',
      formula_version: 'gamma-exposure-v1',
      coverage: 1,
      sessions_old: 0,
      // As of 14:55: a quarter of an hour before the clock.
      age_minutes: 175,
    });
    const { total, by_strike: strikes, by_expiration: expirations } = answer;
    for (const name of ['call_gamma', 'put_gamma', 'net_gamma', 'delta', 'vanna', 'charm'] as const) {
      for (const lines of [strikes, expirations]) {
        const sum = lines.reduce((running: number, line: Record<string, number>) => running + line[name]!, 0);
        expect(Math.abs(sum / total[name] - 1), name).toBeLessThan(1e-9);
      }
    }
    expect(total.net_gamma).toBeCloseTo(total.call_gamma - total.put_gamma, 3);
    expect(strikes.map(({ strike }: { strike: number }) => strike)).toEqual(
      strikes
        .map(({ strike }: { strike: number }) => strike)
        .toSorted((one: number, other: number) => one - other),
    );
    const max = Math.max(...strikes.map((line: { call_gamma: number }) => line.call_gamma));
    expect(strikes.find((line: { call_gamma: number }) => line.call_gamma === max).strike).toBe(
      answer.call_wall,
    );
    expect(answer.flip_zone).toEqual({
      low: Math.min(answer.gamma_flip, answer.cumulative_flip),
      high: Math.max(answer.gamma_flip, answer.cumulative_flip),
    });
  });

  it('agrees with the stock at the same instant', async () => {
    const stock = (await service.server.inject({ url: '/api/graph/v1/stocks/ACME' })).json();
    const answer = (await exposure()).json();
    expect(stock.options.refresh_timestamp).toBe(answer.source_time);
    expect([stock.gex_regime, stock.gex_gamma_flip]).toEqual([answer.regime, answer.gamma_flip]);
    expect(stock.entry_gex_modifier).toBe(answer.regime === 'neutral' ? '' : answer.regime);
  });

  it('is what the OpenAPI document says', async () => {
    for (const symbol of ['ACME', 'DRY']) {
      const answer = (await exposure('', symbol)).json();
      await expectDocumented(service.server, '/api/graph/v1/options/{symbol}/exposure', answer);
    }
  });

  it('is kept, and says so', async () => {
    const answers = [await exposure('?date=2024-03-13'), await exposure('?date=2024-03-13')];
    const [first, again] = answers.map((answer) => answer.json());
    // How long it took is no part of what it says.
    expect(answers[1]!.headers.etag).toBe(answers[0]!.headers.etag);
    expect(answers[0]!.headers.etag).toMatch(/^W\//);
    expect([again.cached, again.computation_ms]).toEqual([true, 0]);
    expect({ ...again, cached: first.cached, computation_ms: first.computation_ms }).toEqual(first);
  });

  it('is unavailable of a known symbol without a chain', async () => {
    expect((await exposure('', 'DRY')).json()).toMatchObject({
      availability: 'unavailable',
      by_strike: [],
      total: null,
      gamma_flip: null,
    });
  });
});

describe('refusals', () => {
  it('404 and 422', async () => {
    expect((await exposure('', 'NOPE')).json().code).toBe('unknown_symbol');
    expect((await exposure('?date=2024-03-09')).json().code).toBe('no_session');
    expect((await exposure('?timeframe=swing')).statusCode).toBe(422);
  });
});
