import { describe, expect, it } from 'vitest';
import { CodedError, isDiskFull } from '../../../src/base/errors.ts';

const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });

describe('a full disk', () => {
  it.each([
    ['a file', withCode('write failed', 'ENOSPC')],
    ['PostgreSQL in any language', withCode('Platte voll', '53100')],
    ['the lock', withCode('database or disk is full', 'ERR_SQLITE_ERROR')],
    [
      'the embedded server as it starts',
      new CodedError('data_directory_unusable', 'PostgreSQL gave up\n  PANIC: No space left on device'),
    ],
    [
      'what lies below',
      new CodedError('database_unavailable', undefined, { cause: withCode('write failed', 'ENOSPC') }),
    ],
  ])('is known by the word of %s', (_, error) => {
    expect(isDiskFull(error)).toBe(true);
  });

  it.each([
    ['another fault of a file', withCode('permission denied', 'EACCES')],
    ['another fault of the database', withCode('duplicate key', '23505')],
    ['no error at all', undefined],
  ])('is not %s', (_, error) => {
    expect(isDiskFull(error)).toBe(false);
  });
});
