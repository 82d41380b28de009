import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Kept, type Shelf } from '../../../src/blocks/kept.ts';
import { fileShelf } from '../../../src/workers/shelf.ts';
import { temporaryDirectory } from '../../support/tape.ts';

const KEEPING = { max: 8, onShelf: true };
const FORWARDS = [{ forward: 1 / 3, discount: Number.NaN, source: 'none' }];

/** A shelf that has been read, as by a thread that starts. */
function opened(directory: string): Shelf {
  const shelf = fileShelf(directory, 1, 'one');
  shelf.read(() => {});
  return shelf;
}

const found = (directory: string, version = 1): Map<string, object> => {
  const values = new Map<string, object>();
  fileShelf(directory, version, 'other').read((name, value) => values.set(name, value));
  return values;
};

describe('a shelf', () => {
  it('gives to another thread what one has kept, to the bit', () => {
    const directory = temporaryDirectory();
    new Kept(fileShelf(directory, 1, 'one')).of(KEEPING).set('chain', FORWARDS);
    expect(new Kept(fileShelf(directory, 1, 'two')).of(KEEPING).get('chain')).toEqual(FORWARDS);
    expect(readdirSync(join(directory, '1'))).toEqual(['one']);
  });

  it('leaves out a line that is cut off, or altered', () => {
    const directory = temporaryDirectory();
    const shelf = opened(directory);
    for (const name of ['first', 'second', 'third']) shelf.add(name, FORWARDS);
    const path = join(directory, '1', 'one');
    const [first, second, third] = readFileSync(path, 'latin1').split('\n');
    writeFileSync(path, [first, second!.replace(/A/, 'B'), third!.slice(0, -9)].join('\n'));
    expect([...found(directory).keys()]).toEqual(['first']);
  });

  it('begins anew with another version', () => {
    const directory = temporaryDirectory();
    opened(directory).add('chain', FORWARDS);
    expect(found(directory, 2).size).toBe(0);
    expect(readdirSync(directory)).toEqual(['2']);
  });

  it('keeps the newest where there is no room, the older file before the newer', () => {
    const directory = temporaryDirectory();
    const shelf = opened(directory);
    const large = [new Float64Array(65_536)];
    for (let at = 0; at < 8; at++) shelf.add(`large-${at}`, large);
    const names = [...found(directory).keys()];
    expect(names.at(-1)).toBe('large-7');
    expect(names.length).toBeLessThan(8);
  });

  it('does without a folder that cannot be written', () => {
    const directory = join(temporaryDirectory(), 'file');
    writeFileSync(directory, '');
    const kept = new Kept(fileShelf(directory, 1, 'one')).of(KEEPING);
    kept.set('chain', FORWARDS);
    expect(kept.get('chain')).toBe(FORWARDS);
  });
});
