import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './feed-probe.ts';
import { casesIn, READERS, said, sourcesOf } from './layout-cases.ts';

const root = temporaryFolder();

describe.each(READERS)('%s', (reader) => {
  describe.each(sourcesOf(reader))('%s', (_, text) => {
    it.each(casesIn(text))('%s', async (_, imports) => {
      for (const one of imports) expect(await said(root, reader, one)).toBe(one.expected);
    });
  });
});
