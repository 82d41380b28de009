import { describe, expect, it } from 'vitest';
import { isKnown } from '../../../src/api/http/answer.ts';
import { codingOf } from '../../../src/api/http/compression.ts';

/** What callers say of the answers that they have and can read. */

describe('If-None-Match', () => {
  const etag = '"abc"';

  it.each([
    ['"abc"'],
    ['W/"abc"'],
    ['*'],
    [' * '],
    ['"x", "abc"'],
    ['W/"x",W/"abc"'],
    ['"a,b", "abc"'],
    ['"x" ,\t"abc"'],
  ])('%s names the answer', (header) => {
    expect(isKnown(header, etag)).toBe(true);
  });

  it.each([
    [undefined],
    [''],
    ['abc'],
    ['"ab"'],
    ['"abc'],
    ['"x", "y"'],
    ['"*"'],
    ['w/"abcd"'],
    ['"x, "abc'],
  ])('%s does not', (header) => {
    expect(isKnown(header, etag)).toBe(false);
  });
});

describe('Accept-Encoding', () => {
  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip, deflate', 'gzip'],
    ['GZIP', 'gzip'],
    ['x-gzip', 'gzip'],
    ['br;q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br ; q=0.0 , gzip ; q=0', null],
    ['*', 'br'],
    ['*;q=0.5, br;q=0', 'gzip'],
    ['gzip;q=0, *;q=0', null],
    ['identity', null],
    ['identity;q=1, gzip;q=0.5', null],
    ['identity;q=0.5, gzip;q=0.5', 'gzip'],
    ['deflate, zstd', null],
    ['', null],
    ['gzip;q=nonsense', null],
    ['gzip;q=2', null],
  ] as const)('%s is answered with %s', (header, coding) => {
    expect(codingOf(header)).toBe(coding);
  });
});
