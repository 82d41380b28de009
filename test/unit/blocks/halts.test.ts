import { expect, it } from 'vitest';
import { halts } from '../../../src/blocks/halts.ts';
import type { AnyFact } from '../../../src/market/facts.ts';
import { derived } from '../../support/derived.ts';
import { fact, instant, TRADE_DATE, viewOf } from '../../support/views.ts';

const FROM = instant(TRADE_DATE, '10:00');
const TO = instant(TRADE_DATE, '10:15');

const halt = (knownAt: number, to: number | null): AnyFact =>
  fact('halt', knownAt, { from: FROM, to, reason: 'LULD' }, `${FROM}`);

const haltedAt = (at: string, facts: readonly AnyFact[]): boolean =>
  derived(halts, viewOf({ at, facts })).flat.halted;

it('is halted from the first instant of a halt until its end', () => {
  const reported = [halt(FROM, null), halt(TO, TO)];
  expect(haltedAt('9:59', reported)).toBe(false);
  expect(haltedAt('10:00', reported)).toBe(true);
  expect(haltedAt('10:14', reported)).toBe(true);
  expect(haltedAt('10:15', reported)).toBe(false);
});

it('stays halted while no end is known, and is not before the halt that was announced', () => {
  expect(haltedAt('15:00', [halt(FROM, null)])).toBe(true);
  expect(haltedAt('9:59', [halt(FROM - 3_600_000, null)])).toBe(false);
});

it('knows an end that was announced with the halt', () => {
  expect(haltedAt('10:14', [halt(FROM, TO)])).toBe(true);
  expect(haltedAt('10:15', [halt(FROM, TO)])).toBe(false);
});

it('is not halted when nobody says so', () => expect(haltedAt('12:00', [])).toBe(false));
