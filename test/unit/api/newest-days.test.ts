import { expect, it } from 'vitest';
import { NewestDays } from '../../../src/api/context/newest-days.ts';
import { Metrics } from '../../../src/base/metrics.ts';

const day = (symbol: string, asOf: number) =>
  ({ symbol, tradeDate: '2024-03-05', asOf, facts: { core: `"last_price":${asOf}` } }) as const;

it('keeps the newest minute of a stock until the stock is announced, whatever others are meanwhile', () => {
  const days = new NewestDays(new Metrics());
  const isCurrent = days.keptUntil(['ACME', 'OTHER']);
  days.announce(['OTHER']);
  expect(['ACME', 'OTHER'].filter(isCurrent)).toEqual(['ACME']);
  days.keep(day('ACME', 1));
  days.announce(['OTHER']);
  expect(days.get('ACME', day('ACME', 1))).toEqual(day('ACME', 1).facts);
  expect(days.get('ACME', day('ACME', 2))).toBeNull();
  days.announce(['ACME']);
  expect(days.get('ACME', day('ACME', 1))).toBeNull();
  days.keep(day('ACME', 1));
  const before = days.keptUntil(['ACME']);
  days.announce(null);
  expect(before('ACME')).toBe(false);
  expect(days.get('ACME', day('ACME', 1))).toBeNull();
});
