import { expect, it } from 'vitest';
import { inLabels } from '../../../explorer/src/imports/reading-words.ts';

const CHOICES = (
  [
    ['time_zone', 'Time zone'],
    ['volumes', 'Volumes are'],
  ] as const
).map(([name, label]) => ({ name, label, help: '', form: 'text' as const, values: [], placeholder: null }));

it.each([
  [
    'times without a zone: state `time_zone`, and `stamps` too',
    'times without a zone: state “Time zone”, and `stamps` too',
  ],
  [
    'lots: `volumes` lots decides, or `volumes` unknown',
    'lots: “Volumes are” lots decides, or “Volumes are” unknown',
  ],
  ['a row `x', 'a row `x'],
  ['not a table: <?xml version="1.0"?><worksheet>', 'not a table: …'],
  ['a plain sentence', 'a plain sentence'],
])('%s is said in the words of the form', (said, shown) => expect(inLabels(said, CHOICES)).toBe(shown));

it('is never longer than a sentence', () => {
  expect(inLabels('x'.repeat(100_000), CHOICES).length).toBeLessThan(500);
});
