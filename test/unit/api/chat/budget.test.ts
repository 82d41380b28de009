import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Budget, estimateTokens, fitted, weightOf } from '../../../../src/api/chat/budget.ts';
import { debateFrame, debatePieces } from '../../../../src/api/chat/debate-pieces.ts';
import type { Fact } from '../../../../src/api/chat/fact.ts';
import { MAX_TOKENS } from '../../../../src/api/chat/get-chat-context.ts';
import { marketFrame, marketPieces, sectorFrame } from '../../../../src/api/chat/market-pieces.ts';
import { PAGE_TYPES, ranked } from '../../../../src/api/chat/pages.ts';
import { factAlone, item, type Piece } from '../../../../src/api/chat/piece.ts';
import { stockFrame } from '../../../../src/api/chat/stock-pieces.ts';
import { debate } from '../../../../src/api/debate/index.ts';
import { figuresOf, richRegistry } from '../../../support/chat-facts.ts';

const registry = richRegistry();
const frame = {
  page_type: 'stock_detail',
  symbol: 'ABCDEFGHIJKLMNOPQRST',
  trade_date: '2024-03-13',
  as_of: '2024-03-13T16:00:00.000Z',
  source: 'realtime_sip',
  market_context: marketFrame(),
  stock_data: stockFrame(),
  debate_summary: debateFrame(),
  sector_data: sectorFrame(),
  historical_analogs: [],
  analog_outcomes: [],
  strategy_playbooks: [],
  facts: [],
};
const headlines = Array.from({ length: 6 }, (_, at) =>
  item(['news', 'stock_data', 'news'], { untrusted_text: { headline: `Höhere Gewinne ${at} 增长 📈` } }),
);
const known: Piece[] = [
  ...debatePieces(debate(registry), registry),
  ...marketPieces(registry, { value: null, reason: 'Nobody asked.' }),
  ...headlines,
];
const pieces = [...known, ...[...new Set(known.flatMap(({ shows }) => shows))].map(factAlone)];

interface Answer {
  readonly debate_summary: {
    readonly bull: { readonly points: readonly Point[] };
    readonly bear: { readonly points: readonly Point[] };
    readonly what_would_change: { readonly bull: readonly Point[]; readonly bear: readonly Point[] };
  };
  readonly facts: readonly Fact[];
  readonly budget: Budget;
}
interface Point {
  readonly text: string;
  readonly facts: readonly string[];
}

const answerWithin = (tokens: number, page: (typeof PAGE_TYPES)[number] = 'stock_detail'): Answer =>
  JSON.parse(fitted(frame, ranked(page, pieces), pieces, registry, tokens));

const pointsOf = ({ debate_summary: { bull, bear, what_would_change: change } }: Answer): Point[] => [
  ...bull.points,
  ...bear.points,
  ...change.bull,
  ...change.bear,
];

describe('a budget', () => {
  it('is kept whatever it is, and every figure of a sentence has its fact', () => {
    const tokens = fc.integer({ min: MAX_TOKENS.min, max: MAX_TOKENS.max });
    fc.assert(
      fc.property(tokens, fc.constantFrom(...PAGE_TYPES), (maxTokens, page) => {
        const text = fitted(frame, ranked(page, pieces), pieces, registry, maxTokens);
        const answer: Answer = JSON.parse(text);
        expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
        expect(answer.budget.estimated_tokens).toBeGreaterThanOrEqual(estimateTokens(text));
        expect(answer.budget.estimated_tokens).toBeLessThanOrEqual(maxTokens);
        const values = new Map(answer.facts.map(({ id, value }) => [id, String(value)]));
        expect(values.size).toBe(answer.facts.length);
        for (const { text: sentence, facts } of pointsOf(answer)) {
          const own = facts.map((id) => values.get(id));
          expect(own).not.toContain(undefined);
          for (const figure of figuresOf(sentence)) expect(own).toContain(figure);
        }
      }),
    );
  });

  it('leaves nothing out that fits, and reports nothing then', () => {
    const { budget, facts } = answerWithin(MAX_TOKENS.max);
    expect(budget.dropped).toEqual([]);
    expect(facts.length).toBe(new Set(pieces.flatMap((piece) => piece.facts)).size);
  });

  it('reports all that it left out', () => {
    const { budget, ...answer } = answerWithin(1_500);
    const kept = pointsOf({ ...answer, budget }).length;
    const dropped = budget.dropped.find(({ section }) => section === 'debate_summary')!;
    const shown = known.filter(({ section, isItem }) => section === 'debate_summary' && isItem);
    const rest = known.filter(({ section, isItem }) => section === 'debate_summary' && !isItem);
    expect(dropped.items + kept).toBeGreaterThanOrEqual(shown.length);
    expect(dropped.items + kept).toBeLessThanOrEqual(shown.length + rest.length);
    expect(dropped.reason).toBe('over_budget');
  });

  it('takes from both sides of a debate alike', () => {
    for (const tokens of [1_500, 2_500, 3_500, 4_500]) {
      const { bull, bear } = answerWithin(tokens).debate_summary;
      // Who has said everything has nothing left to match the other with.
      const all = Math.min(debate(registry).bull.length, debate(registry).bear.length);
      const [fewer, more] = [bull.points.length, bear.points.length].sort((one, other) => one - other);
      expect(fewer).toBeGreaterThanOrEqual(Math.min(more! - 1, all));
    }
  });

  it('grows with what is allowed', () => {
    const counts = [500, 1_000, 2_000, 4_000, 8_000].map((tokens) => answerWithin(tokens).facts.length);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
  });
});

describe('the estimate', () => {
  it('of a whole is the sum of its parts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        expect(weightOf(one + other)).toBe(weightOf(one) + weightOf(other));
      }),
    );
  });

  /**
   * Counted with the published tokenizers o200k_base and cl100k_base (gpt-tokenizer 4.0.0, 2026-11): the larger of the two.
   */
  it.each([
    ['{"id":"stock.technical.rsi_14","label":"fourteen-session relative strength index","value":54.2}', 26],
    ['The price of 217.56 stands above its fifty-session average of 207.12.', 19],
    ['{"ema_9":219.77,"ema_20":215.39,"sma_50":207.12,"sma_200":195.18}', 35],
    ['Höhere Gewinne 增长 📈', 12],
  ])('of %s is no less than a tokenizer counts', (text, tokens) => {
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
  });
});
