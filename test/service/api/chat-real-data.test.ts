import assert from 'node:assert/strict';
import { describe, expect, it } from 'vitest';
import { realDataPlan } from '../../../src/files/real-data.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { passOver } from '../../support/chat-service.ts';
import { FULL } from '../../support/depth.ts';
import { realDataDirectory } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';

const DATE = '2026-08-19';
const SYMBOLS =
  'SPY QQQ NVDA JPM WMT AAPL MSFT AMZN TSLA AMD META ORCL NFLX NKE COIN XLF XLK XOM UNH V WFC VZ TSM BAC IWM SLB XLE XLU TMUS TXN'.split(
    ' ',
  );
const TITLES = /^(recent daily bars|VIX daily|reported facts|option chains)/;
const LISTS = ['historical_analogs', 'analog_outcomes', 'strategy_playbooks'] as const;
const PARTS = {
  market_context: ['vix', 'index', 'breadth', 'regime'],
  stock_data: ['price', 'scores', 'trend', 'earnings', 'levels'],
  sector_data: ['sector'],
} as const;

interface Point {
  readonly facts: readonly string[];
}
type Part = Readonly<Record<string, unknown>>;
interface Answer extends Readonly<Record<keyof typeof PARTS, Part>> {
  readonly historical_analogs: readonly unknown[];
  readonly analog_outcomes: readonly unknown[];
  readonly strategy_playbooks: readonly unknown[];
  readonly debate_summary: {
    readonly bull: { readonly points: readonly Point[] };
    readonly bear: { readonly points: readonly Point[] };
    readonly what_would_change: { readonly bull: readonly Point[]; readonly bear: readonly Point[] };
  };
  readonly facts: readonly { readonly id: string }[];
  readonly budget: { readonly estimated_tokens: number };
}

const isShown = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null;

// Importing what it needs takes as long as a tenth of the other tests.
const { server } = await onRealData(
  async (app) => {
    for (const { title, feed } of await realDataPlan(realDataDirectory!, app.context.calendar)) {
      if (TITLES.test(title)) await importFeed(app.context, feed);
    }
    await passOver(app, DATE);
  },
  { TIGRAPH_NOW: '2026-08-21T12:00:00Z' },
  FULL,
);

describe.skipIf(realDataDirectory === null || !FULL)('chat context of recorded stocks', () => {
  async function contextOf(symbol: string, tokens: number): Promise<Answer> {
    const query = `page_type=stock_detail&symbol=${symbol}&date=${DATE}&max_tokens=${tokens}`;
    const response = await server.inject(`/api/graph/v1/chat/context?${query}`);
    expect(response.statusCode, response.body).toBe(200);
    return response.json();
  }

  it.each(SYMBOLS)(
    '%s has every section that has data, and every cited fact, at 6000, 3000 and 1500 tokens',
    async (symbol) => {
      const whole = await contextOf(symbol, 32_000);
      assert.ok(whole.historical_analogs.length > 0);
      for (const tokens of [6_000, 3_000, 1_500]) {
        const answer = await contextOf(symbol, tokens);
        assert.ok(answer.budget.estimated_tokens <= tokens);
        for (const list of LISTS) assert.equal(answer[list].length > 0, whole[list].length > 0, list);
        for (const [section, names] of Object.entries(PARTS)) {
          const [part, all] = [answer, whole].map((one) => one[section as keyof typeof PARTS]);
          for (const name of names) assert.equal(isShown(part![name]), isShown(all![name]), name);
        }
        const { bull, bear, what_would_change: change } = answer.debate_summary;
        for (const side of ['bull', 'bear'] as const) {
          const { points } = whole.debate_summary[side];
          assert.equal(answer.debate_summary[side].points.length > 0, points.length > 0, side);
        }
        const known = new Set(answer.facts.map(({ id }) => id));
        for (const { facts } of [...bull.points, ...bear.points, ...change.bull, ...change.bear])
          for (const id of facts) assert.ok(known.has(id), id);
      }
    },
  );
});
