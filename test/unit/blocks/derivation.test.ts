import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { deriveStock } from '../../../src/derive/compose.ts';
import { DERIVATION } from '../../../src/derive/derivation.ts';
import { projectStock } from '../../../src/derive/projection.ts';
import { richMarket, richView } from '../docs/rich-stock.ts';

/** On days on which everything is known that a tape can hold. */
it('has a number of its own for whatever the blocks derive: raise it with -u', async () => {
  const views = [richView('12:00'), richView('20:00'), { ...richView(), chain: null }];
  const stored = views.map((view) => {
    const { values, ...texts } = deriveStock(view, richMarket(view));
    return [texts, projectStock(values).digest];
  });
  const digest = hash('sha1', JSON.stringify(stored));
  const file = new URL('../../../src/derive/derivation.ts', import.meta.url);
  const text = readFileSync(file, 'utf8');
  const raised = text.includes(digest)
    ? text
    : text.replace(/= \d+; .*/, `= ${DERIVATION + 1}; // ${digest}`);
  await expect(raised).toMatchFileSnapshot(file.pathname);
});
