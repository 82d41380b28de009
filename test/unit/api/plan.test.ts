import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VERDICTS } from '../../../src/analysis/records/verdicts.ts';
import { planLevels } from '../../../src/api/plan/plan-levels.ts';
import { inOrder, planOfStock } from '../../../src/api/plan/plan-stock.ts';
import { planText } from '../../../src/api/plan/plan-text.ts';
import { REASON_KINDS } from '../../../src/api/plan/reasons.ts';
import type { Beside, PlanDay, Planned, StockAnswer } from '../../../src/api/plan/stock-answer.ts';
import { rounded } from '../../../src/derive/rounding.ts';

/** One recorded day in, and the whole plan out. */
const [morning, close, earlier] = readFileSync(
  new URL('../../../fixtures/plan/AQLQ.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line).answer as StockAnswer);
const recorded = { morning: morning!, close: close!, earlier: earlier! };
const DAY: PlanDay = {
  date: '2026-11-27',
  previous: '2026-11-25',
  isNewWeek: false,
  isNewMonth: false,
  previousClose: Date.parse('2026-11-25T21:00:00Z'),
  all: false,
};
const MORNING: Planned = {
  stock: recorded.morning,
  tradeDate: DAY.date,
  before: { ...recorded.close, tradeDate: '2026-11-25' },
  recordOf: () => null,
  simulated: true,
};
const EVENING: Planned = {
  ...MORNING,
  stock: recorded.close,
  tradeDate: '2026-11-25',
  before: { ...recorded.earlier, tradeDate: '2026-11-24' },
};
const record = (verdict: Beside['verdict']) => ({ verdict, rate: 0.5, chance: 0.5 }) as Beside;

describe('the plan of a stock', () => {
  it.each([
    ['morning', MORNING],
    ['evening before', EVENING],
  ])('of the recorded %s is this', async (name, planned) => {
    const stock = planOfStock(planned, DAY);
    const plan = {
      date: DAY.date,
      as_of: stock.updated_at,
      source: 'delayed' as const,
      simulated: true,
      list: null,
      opens_at: '2026-11-27T14:30:00.000Z',
      closes_at: '2026-11-27T18:00:00.000Z',
      market: null,
      missing: [],
      changed: [],
      stocks: [rounded(stock)],
      left_out: [],
    };
    await expect(`${JSON.stringify(plan.stocks[0], null, 1)}\n\n${planText(plan)}`).toMatchFileSnapshot(
      `../../../fixtures/plan/AQLQ-${name.replaceAll(' ', '-')}.txt`,
    );
  });

  it('has the levels in the evening that the morning has, but for those of the night and its price', () => {
    const all = (planned: Planned) => {
      const { above, below } = planLevels(planned, DAY);
      return [...above, ...below];
    };
    const ladder = new Map(recorded.morning.level_ladder!.levels.map(({ name, price }) => [name, price]));
    for (const { name, price } of all(EVENING))
      expect([name, ladder.get(name)]).toEqual([name, expect.closeTo(price, 3)]);
  });

  it('leaves out levels of a kind that held less often than chance, unless asked', () => {
    const verdict = fc.constantFrom(...VERDICTS);
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('pivot', 'prior_day', 'moving_average', 'pattern'), verdict),
        (of) => {
          const verdictOf = (family: string) => of[family] ?? 'too_few';
          const planned: Planned = { ...MORNING, recordOf: (id) => record(verdictOf(id.split('.')[1]!)) };
          const { above, below, leftOut } = planLevels(planned, DAY);
          const every = planLevels(planned, { ...DAY, all: true });
          const levels = recorded.morning.level_ladder!.levels;
          expect(leftOut).toBe(
            levels.filter(({ family }) => verdictOf(family) === 'worse_than_chance').length,
          );
          expect([...above, ...below].map(({ family }) => verdictOf(family))).not.toContain(
            'worse_than_chance',
          );
          expect(every.leftOut).toBe(0);
          // Nearest first, each side by itself, none within noise of the one before.
          for (const side of [above, below, every.above, every.below]) {
            const away = side.map(({ distance_atr }) => Math.abs(distance_atr!));
            expect(away).toEqual(away.toSorted((one, other) => one - other));
            expect(away.every((each, at) => at === 0 || each - away[at - 1]! > 0.1)).toBe(true);
          }
        },
      ),
    );
  });

  it('stands by the sum of its reasons, of equal ones as the list has it', () => {
    const prices = fc.array(fc.double({ min: 125, max: 145, noNaN: true }), { maxLength: 12 });
    const weights = new Map(REASON_KINDS.map(({ name, weight }) => [name, weight]));
    fc.assert(
      fc.property(prices, (drawn) => {
        const stocks = drawn.map((last_price, at) =>
          planOfStock(
            { ...MORNING, stock: { ...recorded.morning, symbol: `S${at}`, last_price, gex_gamma_flip: 134 } },
            DAY,
          ),
        );
        const placed = inOrder(stocks);
        for (const [at, { weight, why }] of placed.entries()) {
          expect(weight).toBe(why.reduce((sum, { reason }) => sum + weights.get(reason)!, 0));
          const after = placed[at + 1];
          if (after === undefined) continue;
          expect(weight).toBeGreaterThanOrEqual(after.weight);
          if (weight === after.weight)
            expect(Number(after.symbol.slice(1))).toBeGreaterThan(Number(placed[at]!.symbol.slice(1)));
        }
      }),
    );
  });

  it('compares a score by the components that both have', () => {
    const { changed } = planOfStock(MORNING, DAY);
    // What only a session has is no change of the night.
    for (const { component } of [...changed!.gained, ...changed!.lost])
      expect(['orb_structure', 'day_type', 'orb_proximity']).not.toContain(component);
    const same = planOfStock({ ...MORNING, before: { ...recorded.morning, tradeDate: '2026-11-25' } }, DAY);
    expect(same.changed).toMatchObject({ gained: [], lost: [], is_new: false });
  });
});
