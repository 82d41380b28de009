import { expect, it } from 'vitest';
import { choicesOfLevel } from '../../../explorer/src/shared/alerts/choices.ts';
import { SCALAR_FIELDS } from '../../../src/derive/scalar-fields.ts';

const paths = new Set(SCALAR_FIELDS.map(({ path }) => path));
const names = [...paths].flatMap((path) => /^levels\.([a-z0-9_]+)$/.exec(path)?.[1] ?? []);

it.each([...names, 'sma_20', 'ema_9', 'range_3d_high', 'range_3d_low'])(
  'an alert on the level %s watches a field that there is, or its price',
  (name) => {
    for (const { parameters } of choicesOfLevel('ACME', name, 100).choices) {
      const { other, level, price, value } = parameters as Record<string, unknown>;
      const watched = other ?? level;
      if (watched === undefined) expect(price ?? value).toBe(100);
      else expect(paths).toContain(watched);
    }
  },
);
