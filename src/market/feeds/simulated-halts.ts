import type { AnyFact } from '../facts.ts';
import { factOf } from '../fact-keys.ts';
import type { Session } from '../../base/calendar.ts';
import type { Interruptions } from './simulated-interruptions.ts';
import { MINUTE_MS } from './simulated-life.ts';

/** The halt of a session as the exchange tells it: a word when it begins, and another when it ends. */
export function haltFacts({ open }: Session, { haltFrom, haltTo }: Interruptions): AnyFact[] {
  if (haltTo <= haltFrom) return [];
  const from = open + haltFrom * MINUTE_MS;
  const to = open + haltTo * MINUTE_MS;
  const reason = 'Volatility pause (simulated)';
  return [factOf('halt', from, { from, to: null, reason }), factOf('halt', to, { from, to, reason })];
}
