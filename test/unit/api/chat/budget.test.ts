import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { debateFrame, debatePieces } from '../../../../src/api/chat/debate-pieces.ts';
import { MAX_TOKENS } from '../../../../src/api/chat/get-chat-context.ts';
import { marketFrame, marketPieces, sectorFrame } from '../../../../src/api/chat/market-pieces.ts';
import { PAGE_TYPES, ranked } from '../../../../src/api/chat/pages.ts';
import { stockFrame } from '../../../../src/api/chat/stock-pieces.ts';
import { type Budget, estimateTokens, fitted, weightOf } from '../../../../src/texts/budget.ts';
import { debate } from '../../../../src/texts/debate/index.ts';
import { type Fact, FactRegistry } from '../../../../src/texts/facts/fact-registry.ts';
import {
  factAlone,
  floored,
  item,
  type Piece,
  SECTIONS,
  type Section,
  shortened,
} from '../../../../src/texts/piece.ts';
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
const pieces: Piece[] = [
  ...debatePieces(debate(registry), registry),
  ...marketPieces(registry, { value: null, reason: 'Nobody asked.' }),
  ...headlines,
];

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
    expect(facts.length).toBe(new Set(pieces.flatMap((piece) => [...piece.facts, ...piece.shows])).size);
    // With room for the line of the report that the last facts might need.
    expect(answerWithin(budget.estimated_tokens + 40).budget.dropped).toEqual([]);
  });

  it('argues both sides of a debate alike, or neither', () => {
    const all = debate(registry);
    for (let tokens = MAX_TOKENS.min; tokens < 5_000; tokens += 125) {
      const { bull, bear } = answerWithin(tokens).debate_summary;
      const [fewer, more] = [bull.points.length, bear.points.length].sort((one, other) => one - other);
      if (fewer === 0) assert.equal(more, 0);
      // A side may have its floor beyond the others; who has said everything has nothing left to match the other with.
      assert.ok(fewer! >= Math.min(more! - 2, all.bull.length, all.bear.length), `${tokens}`);
    }
  });

  it('grows with what is allowed', () => {
    const counts = [500, 1_000, 2_000, 4_000, 8_000].map((tokens) => answerWithin(tokens).facts.length);
    expect(counts).toEqual(counts.toSorted((one, other) => one - other));
    expect(counts.at(-1)).toBeGreaterThan(counts[0]!);
  });
});

/** Pieces of every section and of every size, with facts of their own and shared ones. */
describe('made pieces', () => {
  const LISTS = SECTIONS.filter((section) => section !== 'facts');
  const blank = { ...Object.fromEntries(LISTS.map((section) => [section, []])), facts: [] };
  const facts = new FactRegistry();
  const ids = Array.from({ length: 30 }, (_, at) => `stock.made_${at}`);
  const origin = { instant: '2024-03-13T16:00:00.000Z', source: 'made' };
  for (const [at, id] of ids.entries()) facts.add(id, 'a made value', at, 'points', origin);

  interface Made {
    readonly section: Section;
    readonly words: number;
    readonly facts: readonly string[];
    readonly shows: readonly string[];
    readonly hasShort: boolean;
  }
  const made = fc.record<Made>({
    section: fc.constantFrom(...LISTS),
    words: fc.integer({ min: 1, max: 120 }),
    facts: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 4 }),
    shows: fc.uniqueArray(fc.constantFrom(...ids), { maxLength: 4 }),
    hasShort: fc.boolean(),
  });
  const pieceOf = ({ section, words, facts: needed, shows, hasShort }: Made, at: number): Piece => {
    const value = { at, text: 'word '.repeat(words) };
    const whole = { ...item(['news', section], value, needed), shows };
    return hasShort ? shortened([whole], 'at')[0]! : whole;
  };
  const listOf = (answer: Readonly<Record<string, unknown>>, section: Section) =>
    answer[section] as { readonly at: number; readonly text?: string }[];

  /** Any pieces, of which the first of each section is its floor, in groups of any size. */
  const cases = fc.record({
    list: fc.array(made, { minLength: 1, maxLength: 40 }).map((list) => {
      const seen = new Set<Section>();
      return list.map((one, at) => {
        const isFirst = !seen.has(one.section);
        seen.add(one.section);
        return floored([pieceOf(one, at)], isFirst ? 1 : 0)[0]!;
      });
    }),
    size: fc.integer({ min: 1, max: 10 }),
    maxTokens: fc.integer({ min: 400, max: 6_000 }),
  });
  /** Commas, and lines of the report that are no longer needed once their section is whole. */
  const SLACK = LISTS.length * 2_500;
  const chunked = (list: readonly Piece[], size: number): Piece[][] =>
    Array.from({ length: Math.ceil(list.length / size) }, (_, at) => list.slice(at * size, (at + 1) * size));

  it('keep the budget, bring their facts, and are counted where they are missing or short', () => {
    fc.assert(
      fc.property(cases, ({ list, size, maxTokens }) => {
        const text = fitted(blank, chunked(list, size), list, facts, maxTokens);
        const answer = JSON.parse(text);
        assert.ok(estimateTokens(text) <= answer.budget.estimated_tokens);
        assert.ok(answer.budget.estimated_tokens <= maxTokens);
        const there = new Set(answer.facts.map(({ id }: Fact) => id));
        assert.equal(there.size, answer.facts.length);
        for (const section of LISTS) {
          const own = list.filter((piece) => piece.section === section);
          const items = listOf(answer, section);
          const short = items.filter((one) => one.text === undefined);
          const line = (answer.budget as Budget).dropped.find((dropped) => dropped.section === section);
          assert.deepEqual(
            [line?.items ?? 0, line?.shortened ?? 0],
            [own.length - items.length, short.length],
          );
          for (const { at } of items) for (const id of list[at]!.facts) assert.ok(there.has(id));
          // Items of the answer are in its order.
          assert.deepEqual(
            items.map(({ at }) => at),
            items.map(({ at }) => at).toSorted((a, b) => a - b),
          );
        }
      }),
    );
  });

  it('empty no section for the sake of more of another', () => {
    fc.assert(
      fc.property(cases, ({ list, size, maxTokens }) => {
        const answer = JSON.parse(fitted(blank, chunked(list, size), list, facts, maxTokens));
        const kept = new Map(LISTS.flatMap((section) => listOf(answer, section)).map((one) => [one.at, one]));
        const weightOfFloor = ({ value, short, facts: ids }: Piece): number =>
          weightOf(JSON.stringify(short ?? value)) +
          ids.reduce((sum, id) => sum + weightOf(JSON.stringify(facts.get(id))), 0);
        // What is there beyond the floors would not have made room for one that is missing.
        const beyond = list.reduce((sum, { value, short, isFloor }, at) => {
          const weight = kept.has(at) ? weightOf(JSON.stringify(kept.get(at))) : 0;
          return sum + (isFloor ? Math.max(0, weight - weightOf(JSON.stringify(short ?? value))) : weight);
        }, 0);
        for (const [at, piece] of list.entries()) {
          if (piece.isFloor && !kept.has(at)) assert.ok(beyond <= weightOfFloor(piece) + SLACK);
        }
      }),
    );
  });

  it('are kept whole where all fits, in groups of whatever size', () => {
    fc.assert(
      fc.property(cases, ({ list, size }) => {
        const answer = JSON.parse(fitted(blank, chunked(list, size), list, facts, MAX_TOKENS.max));
        assert.deepEqual(answer.budget.dropped, []);
        for (const section of LISTS) {
          assert.deepEqual(
            listOf(answer, section),
            list.filter((piece) => piece.section === section).map(({ value }) => value),
          );
        }
      }),
    );
  });

  it('of a group are kept from its first on', () => {
    const group = Array.from({ length: 20 }, (_, at) =>
      item(['news', 'stock_data'], { at, text: 'w '.repeat(20 + at) }),
    );
    const { stock_data: kept, budget } = JSON.parse(fitted({ ...blank }, [group], group, facts, 400));
    expect(kept.map(({ at }: { at: number }) => at)).toEqual(Array.from(kept.keys()));
    expect(budget.dropped).toEqual([{ section: 'stock_data', items: 20 - kept.length, shortened: 0 }]);
  });
});

describe('the rank of a piece', () => {
  const of = (topic: 'price' | 'trend' | 'analogs'): Piece => ({
    ...item([topic, 'stock_data'], topic),
    shows: [`stock.${topic}`],
  });
  const [one, other, last] = [of('price'), of('trend'), of('analogs')];

  it('follows from the page', () => {
    expect(ranked('stock_detail', [last, other, one])).toEqual([[one], [other], [last]]);
  });

  it('is before all others where it shows a fact that a query finds, by the place of the fact', () => {
    const alone = factAlone('stock.analogs');
    const found = ['stock.analogs', 'stock.trend'];
    expect(ranked('stock_detail', [alone, one, other, last], found)).toEqual([
      [alone],
      [last],
      [other],
      [one],
    ]);
  });

  it('is known of every topic on every page', () => {
    const topics = new Set(PAGE_TYPES.flatMap((page) => pieces.map(({ topic }) => `${page} ${topic}`)));
    expect(topics.size).toBeGreaterThan(PAGE_TYPES.length);
    for (const page of PAGE_TYPES) expect(ranked(page, pieces).flat()).toHaveLength(pieces.length);
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
