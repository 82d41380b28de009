import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factsFor } from '../../../src/api/chat/load-stock-context.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { chainsFeed } from '../../../src/files/chains/feed.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { FactRegistry } from '../../../src/texts/facts/fact-registry.ts';
import { addRecords } from '../../../src/texts/facts/record-facts.ts';
import { claimsOf, type Ground } from '../../../src/texts/verify/index.ts';
import { passOver } from '../../support/chat-service.ts';
import { inFull, sampled } from '../../support/depth.ts';
import {
  LARGEST,
  realDataDirectory,
  recordedDailies,
  recordedFacts,
  recordedMinutes,
} from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';
import { sentencesOf } from '../../support/verify-sentences.ts';

/** Sentences of traders about recorded stocks: true ones are borne out, their false twins refuted, none the other way. */

/** By symbol what people call the company. */
const STOCKS = Object.fromEntries(
  sampled(Object.entries({ AAPL: 'Apple', META: 'Meta', NVDA: 'Nvidia', TSLA: 'Tesla' }), 2),
);
/** The one with minutes, the other with names of companies, targets and whole chains. */
const [WITH_MINUTES, WITH_NAMES] = ['2026-02-12', '2026-08-19'];
const HAVE_MINUTES = ['META', 'NVDA'].filter((symbol) => symbol in STOCKS);

const { app } = await onRealData(
  async ({ context }) => {
    const { calendar } = context;
    const bars = (paths: string[], interval: '1m' | '1d', symbol?: string) =>
      csvFeed({ paths, calendar, interval, ...(symbol !== undefined && { symbol }) });
    const daily = await recordedDailies(LARGEST);
    const minutes = [...HAVE_MINUTES, 'SPY'].map((symbol) =>
      recordedMinutes(symbol, '2026-01-26', '2026-02-13'),
    );
    const facts = await recordedFacts(Object.keys(STOCKS));
    const chains = Object.keys(STOCKS).map((symbol) => `chains_json/${WITH_NAMES}_close/${symbol}.json.gz`);
    for (const feed of [
      bars([daily], '1d'),
      bars([join(realDataDirectory!, 'macro/vix-daily.csv.gz')], '1d', '^VIX'),
      bars(await Promise.all(minutes), '1m'),
      factsFeed({ paths: facts, calendar }),
      chainsFeed({
        paths: ['yfinance_csv', 'iv_history.csv.gz', ...chains].map((name) =>
          join(realDataDirectory!, 'options', name),
        ),
        calendar,
      }),
    ]) {
      await importFeed(context, feed);
    }
  },
  { TIGRAPH_NOW: '2026-08-20T07:30:00Z' },
);
if (realDataDirectory !== null) for (const date of [WITH_MINUTES, WITH_NAMES]) await passOver(app, date!);

/** Records are of more days than a test counts. */
const RECORDS = new FactRegistry();
addRecords(
  RECORDS,
  [
    { key: 'prior_day', n: 412, dates: 187, true: 190, rate: 0.4612, low: 0.43, high: 0.5, chance: 0.4377 },
    { key: 'pivot', n: 812, dates: 187, true: 392, rate: 0.4833, low: 0.44, high: 0.52, chance: 0.4712 },
  ].map((record) => ({ kind: 'level', ...record })),
  { instant: `${WITH_NAMES}T20:00:00Z`, source: 'records' },
);

async function groundOf(symbol: string, date: string): Promise<Ground> {
  const viewer = { source: 'realtime_sip', delayMs: 0, symbols: null } as const;
  const found = await factsFor(app.context, { symbol, date }, viewer, new AbortController().signal);
  return { ...found, facts: [...found.facts, ...RECORDS.all()], others: new Set(['MSFT']) };
}

/** Levels by the names that traders give them. */
const LEVELS = {
  pivot_r1: 'R1',
  pivot_s1: 'S1',
  pdh: "The prior day's high",
  pdl: 'PDL',
  vwap: 'VWAP',
  prior_vah: "Yesterday's VAH",
  prior_week_high: "Last week's high",
  ib_high: 'The IB high',
  orb_30m_low: 'The 30-minute opening range low',
  sma_20: 'The 20-day SMA',
};
/** By served state what is true of a level, and what is not. */
const TURNED: Readonly<Record<string, readonly [truth: string, falsehood: string]>> = {
  held: ['held', 'was broken'],
  broken: ['was broken', 'is untouched'],
  untouched: ['is untouched', 'was tested'],
};
const CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  hour: 'numeric',
  minute: '2-digit',
});

describe.skipIf(realDataDirectory === null)('sentences of traders', () => {
  const decided = { true: 0, false: 0 };
  const seen = { true: 0, false: 0 };

  it.each(Object.entries(STOCKS))('about %s are told apart', async (symbol, name) => {
    const dates = HAVE_MINUTES.includes(symbol) ? [WITH_MINUTES!, WITH_NAMES!] : [WITH_NAMES!];
    for (const date of dates) {
      const ground = await groundOf(symbol, date);
      const known = new Map(ground.facts.map(({ id, value }) => [id, value]));
      expect(ground.company === null).toBe(date === WITH_MINUTES);
      const sets = sentencesOf(known, date === WITH_NAMES ? name : symbol);
      expect(sets.length).toBeGreaterThan(15);
      for (const { truths, falsehoods } of sampled(sets, 2)) {
        for (const [truth, sentences] of [
          [true, truths],
          [false, falsehoods],
        ] as const) {
          for (const text of sentences) {
            const claims = claimsOf(text, ground);
            const verdicts = claims.map(({ verdict }) => verdict);
            const isRefuted = verdicts.includes('contradicts');
            const isBorneOut =
              verdicts.length > 0 && verdicts.every((one) => /^(?:matches|derivable)$/.test(one));
            const said = `${text} ${claims.map((one) => `${one.text}: ${one.reason}`).join(' ')}`;
            expect(truth ? isRefuted : isBorneOut, said).toBe(false);
            seen[`${truth}`]++;
            if (truth ? isBorneOut : isRefuted) decided[`${truth}`]++;
          }
        }
      }
    }
  });

  it('of what became of a level are judged by its served state', async () => {
    const judged = { matches: 0, contradicts: 0 };
    for (const symbol of HAVE_MINUTES) {
      const ground = await groundOf(symbol, WITH_MINUTES!);
      const served = new Map(ground.levels.map(({ id, value }) => [id, String(value)]));
      for (const [level, name] of Object.entries(LEVELS)) {
        const state = served.get(`level.${level}.state`);
        const [truth, falsehood] = TURNED[state ?? ''] ?? [];
        if (truth === undefined) continue;
        const at = served.get(`level.${level}.decided_at`);
        const clock = at === undefined ? '' : ` at ${CLOCK.format(Date.parse(at))}`;
        for (const [verdict, said] of [
          ['matches', truth],
          ['matches', `${truth}${clock}`],
          ['contradicts', falsehood],
        ] as const) {
          const claims = claimsOf(`${name} ${said}.`, ground);
          expect(
            claims.map((claim) => [claim.kind, claim.verdict]),
            `${name} ${said}: ${state}`,
          ).toEqual([['state', verdict]]);
          judged[verdict]++;
        }
      }
    }
    expect(judged.matches).toBeGreaterThan(10);
    expect(judged.contradicts).toBeGreaterThan(5);
  });

  it('are mostly decided', () => {
    console.info(
      `${seen.true} true, ${decided.true} borne out; ${seen.false} false, ${decided.false} refuted`,
    );
    expect(seen.true).toBeGreaterThan(inFull(600, 150));
    expect(decided.true / seen.true).toBeGreaterThan(0.92);
    expect(decided.false / seen.false).toBeGreaterThan(0.85);
  });
});
