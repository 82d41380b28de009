import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { deriveStock } from '../../../src/derive/compose.ts';
import { DERIVATION } from '../../../src/derive/derivation.ts';
import { projectStock } from '../../../src/derive/projection.ts';
import { richMarket, richView } from '../docs/rich-stock.ts';

/** What the blocks make of days on which everything is known that a tape can hold. */
const DERIVED = { derivation: 1, digest: '580def48f9f9ea1a65c1b1cafd773a8700c316ee' };

it('has a number of its own for whatever the blocks derive', () => {
  const views = [richView('12:00'), richView('20:00'), { ...richView(), chain: null }];
  const stocks = views.map((view) => deriveStock(view, richMarket(view)));
  const stored = stocks.map(({ values, ...texts }) => [texts, projectStock(values).digest]);
  const digest = hash('sha1', JSON.stringify(stored));
  expect(
    { derivation: DERIVATION, digest },
    'the blocks derive something else: raise DERIVATION in src/derive/derivation.ts, and put both here',
  ).toEqual(DERIVED);
});
