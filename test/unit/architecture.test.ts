import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What holds of the files of `src`; `npm run structure` checks their imports. */

const SOURCE = resolve(import.meta.dirname, '../../src');

const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort();

/** A socket has a `setTimeout` of its own. */
const RAW_TIME =
  /(?<!\.)\b(?:set|clear)(?:Timeout|Interval|Immediate)\b|\b(?:Date|performance)\.now\b|\bhrtime\b|new Date\(\)|node:timers/;

describe('the layout of src', () => {
  it('has folders of at most two levels, and three files at its root', () => {
    expect(files.length).toBeGreaterThan(500);
    expect(files.filter((file) => file.split('/').length > 3)).toEqual([]);
    expect(files.filter((file) => !file.includes('/'))).toEqual(['app.ts', 'config.ts', 'main.ts']);
  });

  it('takes timers and the time from one file of base alone', () => {
    const users = files.filter((file) => RAW_TIME.test(readFileSync(resolve(SOURCE, file), 'utf8')));
    expect(users).toEqual(['base/timers.ts']);
  });

  it('keeps environment, clock and randomness out of the mathematics', () => {
    for (const file of files.filter((name) => name.startsWith('analysis/') || name.startsWith('blocks/'))) {
      const text = readFileSync(resolve(SOURCE, file), 'utf8');
      expect(text, file).not.toMatch(/process\.env|Date\.now|Math\.random|new Date\(\)|\basync\b|\bawait\b/);
    }
  });

  it('keeps nothing in modules of pure folders but constants and weak maps', () => {
    const KEPT = /^(export )?(let |const \w+(: [^=]+)? = (new (Map|Set)(<.*>)?\(\)|new LRUCache|memoize\())/m;
    const pure = files.filter((name) => /^(analysis|blocks|texts|market)\//.test(name));
    const keeping = pure.filter((file) => KEPT.test(readFileSync(resolve(SOURCE, file), 'utf8')));
    // The compiled kernels, a constant that is made on first use.
    expect(keeping).toEqual(['analysis/kernels/kernels.ts']);
  });
});
