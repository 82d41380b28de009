import { expect, it } from 'vitest';
import { foreignOwner } from '../../../src/database/embedded-host.ts';

it.each([
  [1000, 1001, 'it belongs to the user 1000 and this process is the user 1001.'],
  [0, 1001, 'it belongs to the user 0 and this process is the user 1001.'],
])('says that a data directory of %s is not one of %s', (owner, self, sentence) => {
  expect(foreignOwner(owner, self)).toContain(sentence);
});

it.each([
  [1000, 1000],
  [1000, 0],
  [undefined, 1000],
  [1000, undefined],
])('has nothing against a data directory of %s in a process of %s', (owner, self) => {
  expect(foreignOwner(owner, self)).toBeNull();
});
