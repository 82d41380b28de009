import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { STATUS_OF_CODE, STATUS_OF_KIND } from '../../../src/api/http/errors.ts';
import { CodedError, ERRORS, type ErrorCode, isCoded, ValidationRefusal } from '../../../src/base/errors.ts';

const codes = Object.keys(ERRORS) as ErrorCode[];

describe('the catalogue of errors', () => {
  it('is docs/errors.md: each code below its kind, in the same order, with status, meaning and a way out', () => {
    const document = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
    const described = document.split(/^## /m).slice(1);
    const entries = described.flatMap((section) => {
      const [, kind, status] = /^(\w+): (\d+)\n/.exec(section)!;
      return Array.from(section.matchAll(/^- `(\w+)`(?: \((\d+)\))?: (.*)$/gm), ([, code, other, text]) => ({
        code,
        kind,
        status: Number(other ?? status),
        text: text!,
      }));
    });
    expect(entries.map(({ code, kind, status }) => ({ code, kind, status }))).toEqual(
      codes.map((code) => {
        const { kind } = ERRORS[code];
        return { code, kind, status: STATUS_OF_CODE[code] ?? STATUS_OF_KIND[kind] };
      }),
    );
    for (const [index, { text }] of entries.entries()) {
      const { meaning } = ERRORS[codes[index]!];
      expect(text.startsWith(`${meaning} `), text).toBe(true);
      // Beyond the sentence of the code, the page must say what to do.
      expect(text.slice(meaning.length).trim()).not.toBe('');
    }
  });

  it('gives each code one whole sentence', () => {
    for (const code of codes) expect(ERRORS[code].meaning, code).toMatch(/^[A-Z].*\.$/);
  });
});

describe('CodedError', () => {
  it('speaks the sentence of its code unless it is given a better one', () => {
    expect(new CodedError('overloaded').message).toBe(ERRORS.overloaded.meaning);
    expect(new CodedError('overloaded', 'Come back later.').message).toBe('Come back later.');
  });

  it('knows its kind, keeps its cause and has facts', () => {
    const cause = new Error('the wire was cut');
    const error = new CodedError('no_session', 'Closed that day.', {
      cause,
      facts: { nearest: '2018-12-06' },
    });
    expect(error.kind).toBe('not_found');
    expect(error.cause).toBe(cause);
    expect(error.facts).toEqual({ nearest: '2018-12-06' });
    expect(error).toBeInstanceOf(Error);
  });

  it('is recognised among other errors, by code too', () => {
    expect(isCoded(new CodedError('internal'))).toBe(true);
    expect(isCoded(new CodedError('internal'), 'internal')).toBe(true);
    expect(isCoded(new CodedError('internal'), 'conflict')).toBe(false);
    expect(isCoded(new Error('internal'))).toBe(false);
  });
});

describe('ValidationRefusal', () => {
  it('has every fault and names each one in its message', () => {
    const faults = [
      {
        loc: ['body', 'ttl_seconds'],
        msg: 'Input should be greater than or equal to 30',
        type: 'greater_than_equal',
        input: 5,
        ctx: { ge: 30 },
      },
      { loc: ['body', 'scopes', '0'], msg: 'Field required', type: 'missing', input: null, ctx: {} },
    ];
    const refusal = new ValidationRefusal(faults);
    expect(refusal.faults).toEqual(faults);
    expect(refusal.code).toBe('validation_failed');
    expect(refusal.message).toContain('body.ttl_seconds');
    expect(refusal.message).toContain('body.scopes.0');
    expect(isCoded(refusal, 'validation_failed')).toBe(true);
  });

  it('cannot be made without a fault', () => {
    expect(() => new ValidationRefusal([])).toThrow('at least one fault');
  });
});
