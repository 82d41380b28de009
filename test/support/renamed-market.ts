import type { Delivery, Feed } from '../../src/market/feed.ts';
import { INDEX_FUND, VOLATILITY_INDEX } from '../../src/simulated/companies.ts';

/** Names of stocks in files of somebody's own. */
export const ownName = (symbol: string): string => `Q${symbol}`;

/**
 * The companies of a simulated feed as data of somebody's own, with every kind of row and fact: other names, not
 * simulated, and no index beside them.
 */
export const asOwn = (feed: Feed): Feed => ({
  name: 'own',
  simulated: false,
  units: async () =>
    (await feed.units())
      .filter(({ key }) => ![INDEX_FUND, VOLATILITY_INDEX].some((index) => key.endsWith(`/${index}`)))
      .map((unit) => ({
        ...unit,
        key: unit.key.replace('simulated/', 'own/'),
        async *read() {
          for await (const delivery of unit.read()) yield renamed(delivery);
        },
      })),
});

function renamed(delivery: Delivery): Delivery {
  if (delivery.kind === 'chain') {
    const symbol = ownName(delivery.chain.symbol);
    return { ...delivery, chain: { ...delivery.chain, symbol, simulated: false } };
  }
  if (!('symbol' in delivery)) return delivery;
  const symbol = ownName(delivery.symbol);
  if (delivery.kind !== 'facts') return { ...delivery, symbol };
  const facts = JSON.stringify(delivery.facts).replaceAll(delivery.symbol, symbol);
  return { ...delivery, symbol, facts: JSON.parse(facts) };
}
