import { describe, expect, it } from 'vitest';
import { anonymousCaller, type Caller } from '../../../src/api/access/viewer.ts';
import { getChatContext } from '../../../src/api/chat/get-chat-context.ts';
import { getDteScores, getExposure } from '../../../src/api/options/get-chain-answers.ts';
import { getStock } from '../../../src/api/stocks/get-stock.ts';
import type { App } from '../../../src/app.ts';
import { INCLUDE_FIELDS } from '../../../src/derive/compose.ts';
import { csvFeed } from '../../../src/files/bars/csv.ts';
import { chainsFeed } from '../../../src/files/chains/feed.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import type { TapedSession } from '../../../src/live/replay-from-tape.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { freshStore, unitsOf } from '../../support/app.ts';
import { FULL, inFull, SEED, sampled } from '../../support/depth.ts';
import { LARGEST, realDataDirectory, recordedDailies } from '../../support/real-data.ts';
import { onRealData } from '../../support/recorded-app.ts';
import {
  clockFor,
  inSteps,
  openAppAt,
  playAndCompare,
  seedHistory,
  takeSession,
} from '../../support/replayed.ts';

/**
 * Recorded sessions, played minute by minute through the path of a live feed: after each (in the sample after some) the stored facts are
 * those of a derivation at that instant from the whole tape, byte for byte, with all that came later lying on it.
 */
/** The benchmark symbols of the Lean folder; other symbols change nothing here. */
const WANTED = /^(?!.*(tick|second)).*spy/;

/** Minutes around the open and the close, and some between. */
function sampleOf({ session }: TapedSession): (at: number) => boolean {
  const minute = (instant: number) => Math.round((instant - session.open) / 60_000);
  const close = minute(session.close);
  return (instant) => {
    const at = minute(instant);
    return (
      Math.abs(at) < 8 || Math.abs(at - close) < 6 || at % 53 === SEED % 53 || instant === session.postClose
    );
  };
}

const REALTIME: Caller = { ...anonymousCaller(0), source: 'realtime_sip' };
const EVERY_INCLUDE = [...new Set(INCLUDE_FIELDS.values())].sort();

/** What a caller is answered about a stock: stock detail with every include, options, chat. */
async function answersOf({ context }: App, symbol: string, viewer: Caller): Promise<Record<string, string>> {
  const question = { symbol, timeframe: 'swing', direction: 'bullish' } as const;
  const chat = { pageType: 'stock_detail', symbol, maxTokens: 32_000 } as const;
  const answers = {
    stock: await getStock(context, { symbol, includes: EVERY_INCLUDE }, viewer),
    dte: await getDteScores(context, question, viewer),
    exposure: await getExposure(context, { symbol }, viewer),
    chat: await getChatContext(context, chat, viewer),
  };
  const texts = Object.entries(answers).map(([name, { body }]) => [name, body.toString()] as const);
  return Object.fromEntries(texts.map(([name, text]) => [name, withoutTiming(text)]));
}

/** How long the first of several equal answers took to compute is no part of what is known. */
const withoutTiming = (text: string): string =>
  text.replace(/,"cached":(true|false),"computation_ms":[\d.]+/, '');

/** In full both, else one. */
const SESSIONS = sampled(
  [
    ['NVDA', '2026-02-27', inFull(380, 15)],
    ['SPY', '2013-10-10', inFull(800, 20)],
  ] as const,
  2,
);
const isPlayed = (name: string): boolean => SESSIONS.some(([symbol]) => symbol === name);

describe.skipIf(realDataDirectory === null)('a recorded session played again', async () => {
  const { app } = await onRealData(async (app) => {
    const { calendar } = app.context;
    const lean = leanFeed(`${realDataDirectory}/lean`, calendar);
    if (isPlayed('SPY')) await importFeed(app.context, unitsOf(lean, WANTED));
    const daily = FULL
      ? [`${realDataDirectory}/daily/recent_daily_2024_2026.csv.gz`]
      : [await recordedDailies(LARGEST)];
    const minutes = ['NVDA', 'SPY'].map(
      (symbol) => `${realDataDirectory}/intraday/1min/${symbol}_1min.csv.gz`,
    );
    await importFeed(app.context, csvFeed({ paths: daily, calendar, interval: '1d', symbolFrom: 'column' }));
    if (!isPlayed('NVDA')) return;
    await importFeed(
      app.context,
      csvFeed({ paths: minutes, calendar, interval: '1m', symbolFrom: 'file-name' }),
    );
  });

  it.each(SESSIONS)(
    '%s on %s',
    async (symbol, tradeDate, minutes) => {
      const store = await freshStore();
      const taped = await takeSession(app, tradeDate);
      await seedHistory(store, taped);
      const played = await openAppAt(store, clockFor(taped));
      const recorded = taped.recording.liveFeed({ name: 'replay', simulated: false });
      const feed = FULL ? recorded : inSteps(recorded, sampleOf(taped));
      let [steps, asked] = [0, 0];
      const { report, compared } = await playAndCompare(played, app, feed, async (at) => {
        // Some forty minutes of a whole replay, as good as drawn; after the close its peers wait for a pass.
        if (steps++ % (FULL ? 9 : 6) !== 5 || at >= taped.session.close) return;
        const then = await answersOf(played, symbol, REALTIME);
        const later = await answersOf(app, symbol, { ...REALTIME, asOf: at });
        expect(later).toEqual(then);
        asked++;
      });
      expect(asked).toBeGreaterThan(FULL ? 30 : 1);
      expect(compared).toBeGreaterThan(minutes);
      expect(report.close).toMatchObject({ failed: [] });
      const [day] = await played.context.database.query(
        'select count(*) as blocks from fact where symbol = $1 and trade_date = $2::date',
        [symbol, tradeDate],
      );
      expect((day as { blocks: number }).blocks).toBeGreaterThan(5);
      await played.close();
    },
    600_000,
  );

  it.each(['NVDA', 'AAPL'])('the chain of the evening belongs to the day of %s', async (symbol) => {
    const { context } = app;
    const path = `${realDataDirectory}/options/chains_json/2026-08-19_close/${symbol}.json.gz`;
    await importFeed(context, chainsFeed({ paths: [path], calendar: context.calendar }));
    const date = '2026-08-19';
    const optionsAt = async (asOf?: string) => {
      const viewer = { ...REALTIME, ...(asOf === undefined ? {} : { asOf: Date.parse(asOf) }) };
      const { body } = await getStock(context, { symbol, date, includes: [] }, viewer);
      return JSON.parse(body.toString()).options;
    };
    const options = await optionsAt();
    expect(options.refresh_timestamp.slice(0, 16)).toBe('2026-08-20T02:46');
    expect(options.chain_total_oi).toBeGreaterThan(100_000);
    expect(await optionsAt('2026-08-20T02:50:00Z')).toEqual(options);
    // Chains of the evening before would be too old.
    expect(await optionsAt('2026-08-20T02:40:00Z')).toBeNull();
    const exposure = JSON.parse((await getExposure(context, { symbol, date }, REALTIME)).body.toString());
    expect(exposure.source_time).toBe(options.refresh_timestamp);
  });
});
