import { expect, it } from 'vitest';
import { inFields } from '../../../explorer/src/imports/reading-words.ts';

it.each([
  ['the table mentions no date: name the one at which it was known', 'What date is this table of?'],
  ['no symbol: give it with --symbol, or with --file-name PATTERN', 'no symbol: give it with “Symbol”'],
  [
    'times without a zone: name it with --time-zone, and with --stamps what they mark',
    "Which time zone are these times in, and do they mark a bar's start or its end? times without a zone: name it with “Time zone”, and with “Times are the” what they mark",
  ],
  [
    'lots: --volumes thousands|lots|millions|shares decides, or --no-volume',
    'lots: “Volumes are” thousands|lots|millions|shares decides, or “Volumes are” unknown',
  ],
  ['not a table: <?xml version="1.0"?><worksheet>', 'not a table: …'],
  ['a plain sentence', 'a plain sentence'],
])('%s is said in the fields of the page', (said, shown) => expect(inFields(said)).toBe(shown));

it('is never longer than a sentence', () => {
  expect(inFields('x'.repeat(100_000)).length).toBeLessThan(500);
});
