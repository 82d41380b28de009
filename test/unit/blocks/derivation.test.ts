import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { deriveStock } from '../../../src/derive/compose.ts';
import { DERIVATION } from '../../../src/derive/derivation.ts';
import { richMarket, richView } from '../docs/rich-stock.ts';

/** What the blocks make of days on which everything is known that a tape can hold. */
const DERIVED = { derivation: 2, digest: '19ac78b82ea5d1ea171272debc9722c7dcffcb85' };

it('has a number of its own for whatever the blocks derive', () => {
  const views = [richView('12:00'), richView('20:00'), { ...richView(), chain: null }];
  const stocks = views.map((view) => deriveStock(view, richMarket(view)));
  const digest = hash('sha1', JSON.stringify(stocks));
  expect(
    { derivation: DERIVATION, digest },
    'the blocks derive something else: raise DERIVATION in src/derive/derivation.ts, and put both here',
  ).toEqual(DERIVED);
});
