import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PLAYBOOK_TEXTS } from '../../../src/blocks/playbook-texts.ts';
import { httpEmbedder } from '../../../src/graph/http-embedder.ts';
import { findWinkPackage } from '../../../src/graph/wink-package.ts';
import { newsByIndex } from '../../../src/graph/nearest-texts.ts';
import { findTextModel, indexedType } from '../../../src/graph/text-models.ts';
import { vectorText } from '../../../src/graph/text-vectors.ts';
import { rankPlaybooks, relatedNews } from '../../../src/api/chat/find-related-texts.ts';
import type { NewsQuestion } from '../../../src/api/chat/related-texts.ts';
import { openTextPass } from '../../../src/pipeline/text-pass.ts';
import { openTestApp, type TestSettings } from '../../support/app.ts';
import { makeTestStore } from '../../support/database.ts';
import { lettersAnswer, lettersOf, openProvider } from '../../support/embeddings-provider.ts';
import { type NewsRow, newsKey, syncNews } from '../../support/news-market.ts';

const NEWS: readonly NewsRow[] = [
  { symbol: 'ACME', at: '2024-02-27T15:00:00Z', headline: 'Acme wins a record order' },
  { symbol: 'BETA', at: '2024-02-28T15:00:00Z', headline: 'Beta wins a record order' },
  { symbol: 'GAMA', at: '2024-02-29T15:00:00Z', headline: 'Gama opens a plant', afterMs: 3_600_000 },
  { symbol: 'BETA', at: '2024-03-04T15:00:00Z', headline: 'Gama wins a record order' },
  { symbol: 'GAMA', at: '2024-03-04T15:00:00Z', headline: 'Gama wins a record order', afterMs: 7_200_000 },
];
const LATER: readonly NewsRow[] = [
  { symbol: 'ACME', at: '2024-03-05T15:00:00Z', headline: 'Acme wins a record order again' },
  { symbol: 'BETA', at: '2024-03-05T15:30:00Z', headline: 'Acme wins a record order' },
];
const END = Date.parse('2024-03-06T00:00:00Z');

const keysOf = (rows: readonly { readonly key: string }[] | null) => rows?.map(({ key }) => key) ?? null;
const instantOf = (text: string): number => Date.parse(text);

interface Opened {
  readonly app: App;
  close(): Promise<void>;
}

async function appOn(settings: TestSettings, news: readonly NewsRow[]): Promise<Opened> {
  const store = await makeTestStore();
  const app = await openTestApp(store, settings);
  if (news.length > 0) await syncNews(app, news);
  await openTextPass(app.context)();
  return {
    app,
    async close() {
      await app.close();
      await store.remove();
    },
  };
}

/** What the provider answers in place of vectors by letters. */
let status: number | null = null;

async function lettersApp(news: readonly NewsRow[]): Promise<Opened> {
  const provider = await openProvider((call) => status ?? lettersAnswer(call));
  const settings = {
    TIGRAPH_EMBEDDINGS: 'http',
    EMBEDDINGS_URL: provider.url,
    EMBEDDINGS_MODEL: 'letters',
  };
  const { app, close } = await appOn(settings, news);
  return {
    app,
    async close() {
      await close();
      provider.stop();
    },
  };
}

/** An app that no test changes for the next one. */
let app: App;
let closeApp: () => Promise<void>;
beforeAll(async () => {
  ({ app, close: closeApp } = await lettersApp(NEWS));
});
afterAll(() => closeApp());

const cosine = (one: string, other: string): number => {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0) / Math.hypot(...a) / Math.hypot(...b);
};

describe('related news', () => {
  it('is what lies nearest, with its cosine, and not the item that is asked about', async () => {
    const found = await relatedNews(app.context, { newsKey: newsKey(NEWS[0]!), before: END, limit: 3 });
    expect(keysOf(found)).toEqual([NEWS[1]!, NEWS[3]!, NEWS[2]!].map(newsKey));
    for (const { headline, similarity } of found!) {
      expect(similarity).toBeCloseTo(cosine(NEWS[0]!.headline, headline), 5);
    }
    expect(found![0]).toMatchObject({
      headline: 'Beta wins a record order',
      publishedAt: '2024-02-28T15:00:00.000Z',
      source: 'Wire',
      url: null,
    });
    const byText = await relatedNews(app.context, {
      text: 'Acme wins a record order',
      before: END,
      limit: 1,
    });
    expect(byText).toMatchObject([{ key: newsKey(NEWS[0]!), similarity: expect.closeTo(1, 5) }]);
  });

  it('has nothing that could not be quoted by then, however near', async () => {
    const at = async (before: string) =>
      keysOf(
        await relatedNews(app.context, { text: 'Gama opens a plant', before: instantOf(before), limit: 50 }),
      );
    expect(await at('2024-02-27T15:00:00.999Z')).toEqual([]);
    expect(await at('2024-02-27T15:00:01Z')).toEqual([newsKey(NEWS[0]!)]);
    // Published at 15:00, told an hour later.
    expect(await at('2024-02-29T15:59:59Z')).toEqual([NEWS[1]!, NEWS[0]!].map(newsKey));
    expect((await at('2024-02-29T16:00:00Z'))![0]).toBe(newsKey(NEWS[2]!));
  });

  it('answers a past instant alike, whatever came later', async () => {
    const { app, close } = await lettersApp(NEWS);
    onTestFinished(close);
    const questions: NewsQuestion[] = [
      '2024-02-28T20:00:00Z',
      '2024-03-04T16:00:00Z',
      '2024-03-04T21:00:00Z',
    ].flatMap((instant) => [
      { text: 'Acme wins a record order again', before: instantOf(instant), limit: 10 },
      { text: 'Gama wins', before: instantOf(instant), limit: 2, notSymbol: 'GAMA' },
      { newsKey: newsKey(NEWS[0]!), before: instantOf(instant), limit: 10, notSymbol: 'ACME' },
    ]);
    const ask = () => Promise.all(questions.map((question) => relatedNews(app.context, question)));
    const before = await ask();
    await syncNews(app, LATER, 'later');
    expect(await openTextPass(app.context)()).toMatchObject({ embedded: LATER.length });
    expect(await ask()).toEqual(before);
    const now = await relatedNews(app.context, {
      text: 'Acme wins a record order again',
      before: END,
      limit: 1,
    });
    expect(keysOf(now)).toEqual([newsKey(LATER[0]!)]);
  });

  it('leaves out what a stock had been mentioned in by then, and not what it was mentioned in later', async () => {
    const at = async (before: string) =>
      keysOf(
        await relatedNews(app.context, {
          text: 'Gama wins a record order',
          before: instantOf(before),
          limit: 50,
          notSymbol: 'GAMA',
        }),
      );
    // Told of BETA at once and of GAMA two hours later, under one headline.
    expect(await at('2024-03-04T16:59:00Z')).toContain(newsKey(NEWS[3]!));
    expect(await at('2024-03-04T17:00:00Z')).toEqual([NEWS[0]!, NEWS[1]!].map(newsKey));
  });

  it('is null for an item that is unknown, or was not told by then', async () => {
    expect(await relatedNews(app.context, { newsKey: 'no such item', before: END, limit: 3 })).toBeNull();
    const early = { newsKey: newsKey(NEWS[3]!), before: instantOf('2024-03-04T15:00:00Z'), limit: 3 };
    expect(await relatedNews(app.context, early)).toBeNull();
  });

  it('is null without an embedder, before vectors are whole, for words unknown, and while the provider fails', async () => {
    const off = { database: app.context.database, embedder: null };
    expect(await relatedNews(off, { text: 'Acme', before: END, limit: 3 })).toBeNull();
    expect(await rankPlaybooks(off, 'Acme')).toBeNull();
    expect(await relatedNews(app.context, { text: '12 34', before: END, limit: 3 })).toBeNull();
    status = 401;
    expect(await relatedNews(app.context, { text: 'new words', before: END, limit: 3 })).toBeNull();
    expect(await rankPlaybooks(app.context, 'new words')).toBeNull();
    // Items have their vectors, and ask nobody.
    const question = { newsKey: newsKey(NEWS[0]!), before: END, limit: 3 };
    expect(await relatedNews(app.context, question)).toHaveLength(3);
    status = null;
    expect(await relatedNews(app.context, { text: 'new words', before: END, limit: 3 })).toHaveLength(3);
    const { database } = app.context;
    await database.query('update text_model set whole_at = null');
    expect(await relatedNews(app.context, question)).toBeNull();
    expect(await relatedNews(app.context, { text: 'new words', before: END, limit: 3 })).toBeNull();
    await database.query('update text_model set whole_at = now()');
  });

  it('compares items by the old model until the new one is whole, and texts by none', async () => {
    const question = { newsKey: newsKey(NEWS[0]!), before: END, limit: 3 };
    const before = await relatedNews(app.context, question);
    const { database } = app.context;
    const other = httpEmbedder({ url: 'http://127.0.0.1:9/v1', model: 'other' });
    await database.query(`insert into text_model (name, dimensions) values ('http/other', 5)`);
    onTestFinished(
      async () => void (await database.query(`delete from text_model where name = 'http/other'`)),
    );
    expect(await relatedNews({ database, embedder: other }, question)).toEqual(before);
    expect(
      await relatedNews({ database, embedder: other }, { text: 'Acme', before: END, limit: 3 }),
    ).toBeNull();
  });

  it('is answered by the index where nothing came later', async () => {
    const { database } = app.context;
    const model = (await findTextModel(database, 'http/letters'))!;
    const plan = await database.transaction(async (transaction) => {
      // So small a table is read faster whole; that the index fits the question is what is shown.
      await transaction.query('set local enable_seqscan = off');
      await transaction.query('set local enable_bitmapscan = off');
      await transaction.query('set local enable_sort = off');
      return transaction.query<{ 'QUERY PLAN': string }>(
        `explain ${newsByIndex(model, indexedType(model)!)}`,
        [vectorText(Float32Array.from(lettersOf('acme'))), 3],
      );
    });
    expect(plan.map((row) => row['QUERY PLAN']).join('\n')).toMatch(/Index Scan using text_vector_hnsw_\d+/);
  });
});

describe('playbooks by a text', () => {
  it('come all, nearest first', async () => {
    const ranked = (await rankPlaybooks(app.context, PLAYBOOK_TEXTS[3]!.text))!;
    expect(ranked).toHaveLength(PLAYBOOK_TEXTS.length);
    expect(ranked[0]).toMatchObject({ key: PLAYBOOK_TEXTS[3]!.key, similarity: expect.closeTo(1, 5) });
    const similarities = ranked.map(({ similarity }) => similarity);
    expect(similarities).toEqual(similarities.toSorted((one, other) => other - one));
  });
});

const found = findWinkPackage();
if (found === null)
  console.warn('Related texts by word vectors are skipped: the optional package is not installed.');

describe.skipIf(found === null)('related texts by word vectors', () => {
  it('are of like meaning, in other words', async () => {
    const { app, close } = await appOn({ TIGRAPH_EMBEDDINGS: 'wink' }, [
      { symbol: 'ACME', at: '2024-02-27T15:00:00Z', headline: 'Acme faces a lawsuit over product defects' },
      { symbol: 'ACME', at: '2024-02-28T15:00:00Z', headline: 'Acme raises its outlook on strong demand' },
      { symbol: 'ACME', at: '2024-02-29T15:00:00Z', headline: 'Acme names a new head of finance' },
    ]);
    onTestFinished(close);
    const nearest = async (text: string) =>
      (await relatedNews(app.context, { text, before: END, limit: 1 }))![0]!.headline;
    expect(await nearest('Customers sue over faulty goods')).toContain('lawsuit');
    expect(await nearest('Guidance lifted as sales grow')).toContain('outlook');
    expect(await nearest('Appoints chief financial officer')).toContain('head of finance');
    const [book] = (await rankPlaybooks(
      app.context,
      'Buy the breakout above the range of the first minutes after the open',
    ))!;
    expect(book!.key).toMatch(/^(orb|ib)_/);
  });
});
