import fc from 'fast-check';
import { expect, it } from 'vitest';
import { debate } from '../../../src/texts/debate/index.ts';
import { FactRegistry } from '../../../src/texts/facts/fact-registry.ts';

it('says of an argument of the chain of an earlier session how old it is, and of no other', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 }), fc.boolean(), (sessions, isLong) => {
      const registry = new FactRegistry();
      const origin = { instant: '2026-11-24T20:55:00Z', source: 'option_chain' };
      registry.addAll('exposure', origin, [
        ['sessions_old', 'age of the option chain in sessions', sessions, 'count'],
        ['spot', 'price', isLong ? 110 : 90, 'USD'],
        ['regime', 'dealer gamma', isLong ? 'long_gamma' : 'short_gamma'],
        ['gamma_flip', 'gamma flip', 100, 'USD'],
        ['call_wall', 'call wall', 120, 'USD'],
        ['put_wall', 'put wall', isLong ? 95 : 92, 'USD'],
      ]);
      registry.addAll('stock.technical', { instant: '2026-11-25T21:00:00Z', source: 'block' }, [
        ['rsi_14', 'RSI', isLong ? 85 : 15, 'points'],
      ]);
      const { bull, bear, changes } = debate(registry);
      const points = [...bull, ...bear, ...changes.bull, ...changes.bear];
      const ofChain = points.filter(({ facts }) => facts.some((id) => id.startsWith('exposure.')));
      expect(ofChain.length).toBeGreaterThan(1);
      const age = sessions === 1 ? 'one session' : `${sessions} sessions`;
      for (const point of points) {
        const isAged = ofChain.includes(point) && sessions > 0;
        expect(point.text.endsWith(` The chain is of 2026-11-24, ${age} old.`)).toBe(isAged);
        expect(point.facts.includes('exposure.sessions_old')).toBe(isAged);
      }
    }),
    { numRuns: 20, seed: 52 },
  );
});
