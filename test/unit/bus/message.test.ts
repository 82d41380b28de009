import { describe, expect, it } from 'vitest';
import { Type } from '../../../src/base/type.ts';
import type { Queue } from '../../../src/bus/bus.ts';
import { readAnswer, readWork, workMessage } from '../../../src/bus/message.ts';

const QUEUE = {
  name: 'days',
  version: 2,
  work: Type.Object({ symbols: Type.Array(Type.String({ pattern: '^[!-~]+$' })) }),
  answer: Type.Object({ derived: Type.Integer() }),
} satisfies Queue;

const refusalOf = (text: string, queue: Queue = QUEUE): string => {
  try {
    readWork(queue, text);
  } catch (error) {
    return (error as { refusal: string }).refusal;
  }
  return 'none';
};

describe('a message of work', () => {
  it('is read as it was written, and says its version', () => {
    const work = { symbols: ['ACME', 'BRK.B'] };
    const message = workMessage(QUEUE, work);
    expect(JSON.parse(message)).toEqual({ version: 2, ...work });
    expect(readWork(QUEUE, message)).toMatchObject(work);
  });

  it('without a version is of the first one', () => {
    const first = { ...QUEUE, version: 1 };
    expect(readWork(first, '{"symbols":[]}')).toEqual({ symbols: [] });
    expect(refusalOf('{"symbols":[]}')).toBe('unknown_version');
  });

  it.each([
    ['', 'malformed'],
    ['{"version":2', 'malformed'],
    ['{"version":2}', 'malformed'],
    ['{"version":2,"symbols":["A\\u0000B"]}', 'malformed'],
    ['{"version":2,"symbols":"ACME"}', 'malformed'],
    ['null', 'unknown_version'],
    ['{"version":3,"symbols":[]}', 'unknown_version'],
    ['{"version":"2","symbols":[]}', 'unknown_version'],
  ])('%s is refused as %s', (text, refusal) => {
    expect(refusalOf(text)).toBe(refusal);
  });

  it('has an answer that is checked too', () => {
    expect(readAnswer(QUEUE.answer, '{"derived":3}')).toEqual({ derived: 3 });
    expect(() => readAnswer(QUEUE.answer, '{"derived":"3"}')).toThrow('not as its schema says');
  });
});
