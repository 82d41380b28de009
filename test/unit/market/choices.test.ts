import { expect, it } from 'vitest';
import {
  CHOICE_NAMES,
  choice,
  choiceOf,
  choicesIn,
  inFields,
  inOptions,
} from '../../../src/files/choices.ts';
import { ChoiceFault, statedIn } from '../../../src/files/stated.ts';

/** What a caller decides of an import: one table for the command line, the API and the page. */

it('is read of the texts of all faces', () => {
  expect(
    statedIn({
      symbol: 'brk-b',
      delimiter: '\\t',
      mapping: 'close=Adj Close, volume=Shares',
      columns: 'date, close',
      final_through: '2024-06-12',
      volumes: 'unknown',
      as_of: '2024-06-12T16:00:00-04:00',
    }),
  ).toEqual({
    symbol: 'BRK-B',
    delimiter: '\t',
    mapping: { close: 'Adj Close', volume: 'Shares' },
    columns: ['date', 'close'],
    finalThrough: '2024-06-12',
    volumes: 'unknown',
    asOf: Date.parse('2024-06-12T20:00:00Z'),
  });
});

it.each([
  ['symbol', 'A B'],
  ['interval', '7m'],
  ['time_zone', 'Mars/Phobos'],
  ['final_through', '2024-02-30'],
  ['known_at', 'yesterday'],
  ['as_of', '2024-06-12T16:00:00'],
  ['delimiter', '::'],
  ['mapping', 'close'],
  ['mapping', 'price=Last'],
  ['file_name_pattern', 'x.csv'],
] as const)('%s that is %s is refused by its name', (name, text) => {
  expect(() => statedIn({ [name]: text })).toThrow(expect.objectContaining({ choice: name }));
  expect(() => statedIn({ [name]: text })).toThrow(ChoiceFault);
});

it('is named by each face in its own word', () => {
  const decides = `${choice('stamps', 'start|end')} and ${choice('mapping')} decide, or ${choice('volumes', 'unknown')}`;
  expect(inOptions(decides)).toBe('--stamps start|end and --map decide, or --no-volume');
  expect(inFields(decides)).toBe('`stamps` start|end and `mapping` decide, or `volumes` unknown');
  expect(choicesIn(decides)).toEqual(['stamps', 'mapping', 'volumes']);
  expect(inOptions('⟨constructor⟩ of a file')).toBe('⟨constructor⟩ of a file');
});

it('has an example that it reads, and words where it has no example', () => {
  for (const name of CHOICE_NAMES) {
    const { example, values, form } = choiceOf(name);
    expect(values !== undefined, name).toBe(form === 'word');
    for (const text of [...(values ?? []), ...(example === undefined ? [] : [example])])
      expect(Object.keys(statedIn({ [name]: text })), name).toHaveLength(1);
  }
});
