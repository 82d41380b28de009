import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AXES } from '../../../src/analysis/options/dte-axes.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { expectDocumented, expectFaults, expectRefused } from '../../support/answers.ts';
import { bring, feedOf } from '../../support/app.ts';
import { chainDelivery, openChainService } from '../../support/chain-service.ts';
import { dailyBars } from '../../support/market.ts';
import { words } from '../../support/tables.ts';
import { directoryOf } from '../../support/tape.ts';

/** The contract of `GET /api/graph/v1/options/{symbol}/dte-scores`, by status. */

const scores = (query = '', symbol = 'ACME', token?: string) =>
  service.get(`${symbol}/dte-scores${query}`, token);

const CONTRACT_FIELDS = words`
  symbol timeframe direction spot_price atr atr_source recommended_expiration expirations cached
  computation_ms source_time availability formula_version dependencies availability_qualifier`;
const EXPIRATION_FIELDS = words`
  expiration dte composite_score confidence edge_ratio iv_fitness dealer_flow liquidity
  liquidity_gated near_opex opex_days edge_ratio_detail iv_fitness_detail dealer_flow_detail
  liquidity_detail`;

// 15:10 in New York: the chain of 15:00 is ten minutes old.
const service = await openChainService('2024-03-13T19:10:00Z');

describe('200', () => {
  it('weighs every expiration of the newest chain that the caller may see', async () => {
    const response = await scores();
    expect(response.statusCode).toBe(200);
    const answer = response.json();
    expect(Object.keys(answer).sort()).toEqual(
      [...CONTRACT_FIELDS, 'simulated', 'sessions_old', 'age_minutes'].sort(),
    );
    expect(answer).toMatchObject({
      symbol: 'ACME',
      timeframe: 'swing',
      direction: 'bullish',
      spot_price: 101,
      atr_source: 'daily_atr',
      source_time: '2024-03-13T16:00:00.000Z',
      availability: 'available',
      formula_version: 'dte-evaluator-v1',
    });
    expect(answer.atr).toBeGreaterThan(0);
    expect(answer.expirations.map(({ expiration }: { expiration: string }) => expiration)).toEqual(
      words`2024-03-15 2024-03-28 2024-04-19 2024-06-21`,
    );
    const passing = answer.expirations.filter((each: { liquidity_gated: boolean }) => !each.liquidity_gated);
    const best = Math.max(...passing.map((each: { composite_score: number }) => each.composite_score));
    expect(
      passing.find((each: { composite_score: number }) => each.composite_score === best).expiration,
    ).toBe(answer.recommended_expiration);
    for (const expiration of answer.expirations) {
      expect(Object.keys(expiration).sort()).toEqual([...EXPIRATION_FIELDS].sort());
      for (const axis of AXES) {
        expect(expiration[axis]).toBeGreaterThanOrEqual(0);
        expect(expiration[axis]).toBeLessThanOrEqual(100);
        expect(expiration[`${axis}_detail`]).toMatch(/\d/);
      }
    }
    expect(answer.expirations[0]).toMatchObject({ dte: 2, near_opex: true, opex_days: 0 });
    expect(answer.expirations[1]).toMatchObject({ dte: 15, near_opex: false, opex_days: 9 });
    expect(answer.dependencies).toEqual([
      'option_chain@2024-03-13T16:00:00.000Z',
      'daily_bars@2024-03-12',
      'volatility_history@2024-03-12',
    ]);
    expect(answer.availability_qualifier).toContain('long every call and short every put');
  });

  it('is what the OpenAPI document says', async () => {
    const token = await service.token(['options:read', 'market-data:realtime']);
    for (const symbol of ['ACME', 'BARE', 'DRY']) {
      const answer = (await scores('', symbol, token)).json();
      await expectDocumented(service.server, '/api/graph/v1/options/{symbol}/dte-scores', answer);
    }
  });

  it('is real time for a token with the feed', async () => {
    const token = await service.token(['options:read', 'market-data:realtime']);
    const answer = (await scores('', 'ACME', token)).json();
    expect([answer.source_time, answer.spot_price]).toEqual(['2024-03-13T19:00:00.000Z', 102]);
    expect((await scores()).json().source_time).toBe('2024-03-13T16:00:00.000Z');
  });

  it('says truly what was computed for the call', async () => {
    const asked = '?timeframe=position&direction=bearish';
    const first = (await scores(asked)).json();
    const again = (await scores(asked)).json();
    expect(first.cached).toBe(false);
    expect(first.computation_ms).toBeGreaterThan(0);
    expect([again.cached, again.computation_ms]).toEqual([true, 0]);
    expect({ ...again, cached: false, computation_ms: first.computation_ms }).toEqual(first);
    expect([first.timeframe, first.direction]).toEqual(['position', 'bearish']);
    // The same chain by another name.
    const token = await service.token(['options:read', 'market-data:realtime']);
    const other = (await scores(`${asked}&date=2024-03-13`, 'ACME', token)).json();
    expect(other.cached).toBe(false);
    expect((await scores(asked, 'ACME', token)).json().cached).toBe(true);
  });

  it('replays the chain of a past date', async () => {
    const replayed = await scores('?date=2024-03-13');
    expect(replayed.json().source_time).toBe('2024-03-13T16:00:00.000Z');
    const before = (await scores('?date=2024-03-12')).json();
    expect(before).toMatchObject({ availability: 'unavailable', expirations: [], spot_price: null });
    expect(before.availability_qualifier).toMatch(/^No option chain of ACME on 2024-03-12/);
  });

  it('counts a chain that is taken between sessions to the one before, and prices it with its bars', async () => {
    const taken = (clock: string, at: string) => {
      const { chain } = chainDelivery({ symbol: 'WEEK', date: '2024-03-08', clock, spot: 101 });
      return { kind: 'chain' as const, chain: { ...chain, takenAt: Date.parse(at) } };
    };
    await bring(service.app, [
      dailyBars('WEEK', '2023-01-03', '2024-03-12'),
      taken('15:00', '2024-03-08T20:00:00Z'),
      // Saturday noon, and three and eight in the morning of Tuesday.
      taken('16:00', '2024-03-09T17:00:00Z'),
      taken('16:00', '2024-03-12T07:00:00Z'),
      taken('16:00', '2024-03-12T12:00:00Z'),
    ]);
    const on = async (date: string) => (await scores(`?date=${date}`, 'WEEK')).json();
    for (const [date, at] of [
      ['2024-03-08', '2024-03-09T17:00:00.000Z'],
      ['2024-03-11', '2024-03-12T07:00:00.000Z'],
      ['2024-03-12', '2024-03-12T12:00:00.000Z'],
    ] as const) {
      const answer = await on(date);
      expect([date, answer.source_time, answer.atr_source, answer.spot_price]).toEqual([
        date,
        at,
        'daily_atr',
        101,
      ]);
    }
  });

  it('finds the bars of an index for its options, by any of its names', async () => {
    await bring(service.app, [
      dailyBars('^SPX', '2023-01-03', '2024-03-12'),
      chainDelivery({ symbol: '^SPX', date: '2024-03-12', clock: '12:00', spot: 101 }),
    ]);
    for (const name of ['SPX', 'spxw', '^SPX', '%5ESPX']) {
      expect((await scores('', name)).json()).toMatchObject({
        symbol: '^SPX',
        spot_price: 101,
        atr_source: 'daily_atr',
      });
    }
    const stock = await service.server.inject('/api/graph/v1/stocks/SPX');
    expect(stock.json()).toMatchObject({
      symbol: '^SPX',
      options: { refresh_timestamp: '2024-03-12T16:00:00.000Z' },
    });
  });

  it('has no ATR of a symbol without bars, and says so', async () => {
    const token = await service.token(['options:read', 'market-data:realtime']);
    const answer = (await scores('', 'BARE', token)).json();
    expect(answer).toMatchObject({ atr: null, atr_source: 'none', availability: 'partial', spot_price: 100 });
    expect(answer.availability_qualifier).toMatch(
      /^No daily ATR, so no expiration is recommended\. Under 60 days of IV: whether it is cheap is not known\./,
    );
    expect(answer.expirations).toHaveLength(4);
    expect(answer.expirations.every((each: { edge_ratio: null }) => each.edge_ratio === null)).toBe(true);
    expect(answer.recommended_expiration).toBeNull();
  });

  it('is unavailable of a known symbol without a chain that may be shown', async () => {
    const answer = (await scores('', 'DRY')).json();
    expect(answer).toMatchObject({
      availability: 'unavailable',
      expirations: [],
      recommended_expiration: null,
    });
    expect(answer.availability_qualifier).toContain('No option chain of DRY');
  });

  it('takes the symbol in any case', async () => {
    expect((await scores('', 'acme')).json().symbol).toBe('ACME');
  });

  it('forgets what it kept when a chain is corrected', async () => {
    const token = await service.token(['options:read', 'market-data:realtime']);
    await scores('', 'ACME', token);
    expect((await scores('', 'ACME', token)).json().cached).toBe(true);
    const corrected = chainDelivery({ symbol: 'ACME', clock: '15:00', spot: 103 });
    await importFeed(service.app.context, feedOf({ corrected: [corrected] }, 'later'));
    await service.app.idle();
    expect((await scores('', 'ACME', token)).json().spot_price).toBe(103);
  });
});

describe('refusals', () => {
  it('404: unknown symbol, no session, not begun', async () => {
    // Of BARE nothing is known but a chain of ten minutes ago.
    for (const symbol of ['NOPE', 'BARE']) {
      await expectRefused(scores('', symbol), 404, 'unknown_symbol');
    }
    await expectRefused(scores('?date=2024-03-10'), 404, 'no_session');
    await expectRefused(scores('?date=2024-03-14'), 404, 'no_data_for_date');
  });

  it.each([
    ['?timeframe=weekly', 'query,timeframe', 'literal_error'],
    ['?direction=sideways', 'query,direction', 'literal_error'],
    ['?date=2024-02-30', 'query,date', 'date_parsing'],
    ['?atr=2', 'query,atr', 'extra_forbidden'],
  ])('422: %s', async (query, place, type) => {
    await expectFaults(scores(query), `${place},${type}`);
  });
});

describe('503', () => {
  it('says that the tape is damaged where a chain is not what was written', async () => {
    const { tape } = service.app.context;
    const before = new Set(readdirSync(directoryOf(tape)));
    await importFeed(
      service.app.context,
      feedOf({ hurt: [chainDelivery({ symbol: 'HURT', clock: '12:00' })] }, 'hurt'),
    );
    const file = readdirSync(directoryOf(tape)).find((name) => !before.has(name))!;
    const path = join(directoryOf(tape), file);
    const bytes = readFileSync(path);
    bytes[Math.floor(bytes.length / 2)]! ^= 0x40;
    writeFileSync(path, bytes);
    for (const response of [await scores('', 'HURT'), await service.get('HURT/exposure')]) {
      expect(response.statusCode, response.body).toBe(503);
      expect(response.json()).toMatchObject({ code: 'tape_damaged', detail: expect.stringContaining(file) });
    }
  });
});
