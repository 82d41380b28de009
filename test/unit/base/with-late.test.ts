import { expect, it, vi } from 'vitest';
import { withLate } from '../../../src/base/with-late.ts';

it('works a field out when it is read, by its own object, and a copy has its value', () => {
  const words = vi.fn((of: string) => `words of ${of}`);
  const [one, other] = ['one', 'other'].map((name) => withLate({ name }, { text: () => words(name) }));
  expect(Object.keys(one!)).toEqual(['name', 'text']);
  expect(words).not.toHaveBeenCalled();
  expect([one!.text, other!.text]).toEqual(['words of one', 'words of other']);
  const copy = { ...one! };
  words.mockClear();
  expect(copy).toEqual({ name: 'one', text: 'words of one' });
  expect(JSON.stringify(copy)).toBe('{"name":"one","text":"words of one"}');
  expect(words).not.toHaveBeenCalled();
});
