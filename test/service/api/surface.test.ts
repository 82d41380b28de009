import { describe, expect, it } from 'vitest';
import { expectDocumented } from '../../support/answers.ts';
import { openChainService } from '../../support/chain-service.ts';

/** The contract of `GET /api/graph/v1/options/{symbol}/surface`. */

interface Smile {
  readonly dte: number;
  readonly forward: number;
  readonly at_the_money: number;
  readonly call_25_delta: number;
  readonly put_25_delta: number;
  readonly strike: readonly number[];
  readonly volatility: readonly number[];
}
const surface = (query = '', symbol = 'ACME', token?: string) =>
  service.get(`${symbol}/surface${query}`, token);

const service = await openChainService('2024-03-13T19:10:00Z');

describe('the volatility surface', () => {
  it('has the volatilities that the quotes were made with', async () => {
    const answer = (await surface()).json();
    expect(answer).toMatchObject({
      symbol: 'ACME',
      spot_price: 101,
      source_time: '2024-03-13T16:00:00.000Z',
      availability: 'available',
    });
    const smiles: Smile[] = answer.expirations.filter(({ dte }: Smile) => dte > 0);
    expect(smiles.length).toBeGreaterThan(3);
    for (const { dte, forward, at_the_money, call_25_delta, put_25_delta, strike, volatility } of smiles) {
      const made = (price: number): number => 0.25 + dte / 4000 - 0.1 * Math.log(price / forward);
      expect(at_the_money).toBeCloseTo(made(forward), 3);
      expect(put_25_delta).toBeGreaterThan(at_the_money);
      expect(call_25_delta).toBeLessThan(at_the_money);
      expect(strike).toEqual(strike.toSorted((one, other) => one - other));
      const near = strike.flatMap((price, at) => (Math.abs(price / forward - 1) < 0.1 ? [at] : []));
      expect(near.length).toBeGreaterThan(3);
      for (const at of near) expect(volatility[at]).toBeCloseTo(made(strike[at]!), 2);
    }
    expect(answer.skew_30).toBeGreaterThan(0);
    expect(answer.term_slope).toBeCloseTo(60 / 4000, 2);
  });

  it('agrees with the stock at the same instant, and is what the OpenAPI document says', async () => {
    const stock = (await service.server.inject({ url: '/api/graph/v1/stocks/ACME' })).json();
    expect((await surface()).json().skew_30).toBe(stock.options.iv_skew);
    for (const symbol of ['ACME', 'DRY']) {
      const answer = (await surface('', symbol)).json();
      await expectDocumented(service.server, '/api/graph/v1/options/{symbol}/surface', answer);
    }
  });

  it('is kept, is unavailable without a chain, and is refused as the other answers about a chain', async () => {
    const [first, again] = [
      (await surface('?date=2024-03-13')).json(),
      (await surface('?date=2024-03-13')).json(),
    ];
    expect(again).toEqual({ ...first, cached: true, computation_ms: 0 });
    expect((await surface('', 'DRY')).json()).toMatchObject({ availability: 'unavailable', expirations: [] });
    expect((await surface('', 'NOPE')).json().code).toBe('unknown_symbol');
  });
});
