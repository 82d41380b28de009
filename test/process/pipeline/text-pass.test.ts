import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { PLAYBOOK_TEXTS } from '../../../src/blocks/playbook-texts.ts';
import { keepTextsEmbedded } from '../../../src/pipeline/keep-texts.ts';
import { openTextPass } from '../../../src/pipeline/text-pass.ts';
import { freshApp, openTestApp } from '../../support/app.ts';
import { startCommand } from '../../support/command.ts';
import {
  lettersAnswer,
  type Provider,
  type ProviderAnswer,
  type ProviderCall,
  startProvider,
} from '../../support/embeddings-provider.ts';
import { type NewsRow, newsKey, syncNews } from '../../support/news-market.ts';

const NEWS: readonly NewsRow[] = [
  { symbol: 'ACME', at: '2024-02-27T15:00:00Z', headline: 'Acme wins a record order' },
  { symbol: 'ACME', at: '2024-03-04T15:00:00Z', headline: 'Acme cuts its outlook', afterMs: 600_000 },
  { symbol: 'BETA', at: '2024-03-05T15:00:00Z', headline: 'Beta opens a plant' },
];
const BOOKS = PLAYBOOK_TEXTS.length;

/** A stock-day tells 50 items at most. */
const manyNews = (count: number): NewsRow[] =>
  Array.from({ length: count }, (_, at) => ({
    symbol: ['ACME', 'BETA', 'GAMA', 'DELT'][Math.floor(at / 40)]!,
    at: '2024-03-04T15:00:00Z',
    headline: `Item number ${at}`,
  }));

const settingsOf = (provider: Provider, model = 'letters') => ({
  TIGRAPH_EMBEDDINGS: 'http',
  EMBEDDINGS_URL: provider.url,
  EMBEDDINGS_MODEL: model,
});

async function appWith(
  answer: (call: ProviderCall, number: number) => ProviderAnswer = (call) => lettersAnswer(call),
) {
  const provider = await startProvider(answer);
  const { app, store } = await freshApp(settingsOf(provider));
  return { provider, app, store };
}

const vectorsOf = ({ context: { database } }: App) =>
  database.query<{
    model: string;
    label: string;
    key: string;
    digest: string;
    knownAt: number | null;
    vector: string;
  }>(
    `select m.name as model, n.label, n.key, v.digest, (extract(epoch from v.known_at) * 1000)::bigint as "knownAt", v.vector::text as vector
     from text_vector v join text_model m on m.id = v.model_id join node n on n.id = v.node_id order by 1, 2, 3`,
  );

const modelsOf = ({ context: { database } }: App) =>
  database.query<{ name: string; whole: boolean }>(
    'select name, whole_at is not null as whole from text_model order by id',
  );

const indexesOf = async ({ context: { database } }: App): Promise<string[]> => {
  const rows = await database.query<{ name: string }>(
    `select indexname as name from pg_indexes where tablename = 'text_vector' and indexdef like '%hnsw%' order by 1`,
  );
  return rows.map(({ name }) => name);
};

describe('a pass over the texts', () => {
  it('gives every news item and every playbook a vector, and a second time has nothing to do', async () => {
    const { provider, app } = await appWith();
    await syncNews(app, NEWS);
    const run = openTextPass(app.context);
    expect(await run()).toEqual({ embedded: BOOKS + NEWS.length, failed: 0, message: null });
    const rows = await vectorsOf(app);
    expect(rows.filter(({ label }) => label === 'News').map(({ key }) => key)).toEqual(
      NEWS.map(newsKey).sort(),
    );
    expect(rows.filter(({ label }) => label === 'Playbook').map(({ key }) => key)).toEqual(
      PLAYBOOK_TEXTS.map(({ key }) => key).sort(),
    );
    expect(await modelsOf(app)).toEqual([{ name: 'http/letters', whole: true }]);
    const calls = provider.calls.length;
    expect(await run()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(await openTextPass(app.context)()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(await vectorsOf(app)).toEqual(rows);
    expect(provider.calls).toHaveLength(calls);
  });

  it('keeps from when on an item may be quoted: when it was told, not when it was published', async () => {
    const { app } = await appWith();
    await syncNews(app, NEWS);
    await openTextPass(app.context)();
    const known = new Map((await vectorsOf(app)).map(({ key, knownAt }) => [key, knownAt]));
    for (const row of NEWS) expect(known.get(newsKey(row))).toBe(Date.parse(row.at) + (row.afterMs ?? 1_000));
    expect(known.get(PLAYBOOK_TEXTS[0]!.key)).toBeNull();
  });

  it('takes an item from the first stock that was told of it', async () => {
    const { app } = await appWith();
    const shared = { at: '2024-03-04T15:00:00Z', headline: 'Acme buys Beta' };
    await syncNews(app, [
      { symbol: 'ACME', ...shared, afterMs: 90_000 },
      { symbol: 'BETA', ...shared, afterMs: 30_000 },
    ]);
    await openTextPass(app.context)();
    const [item] = (await vectorsOf(app)).filter(({ label }) => label === 'News');
    expect(item).toMatchObject({ key: '2024-03-04 acme buys beta', knownAt: Date.parse(shared.at) + 30_000 });
  });

  it('leaves the mark of simulated headlines out, and keeps no vector of a text without a known letter', async () => {
    const { provider, app } = await appWith();
    await syncNews(app, [
      { symbol: 'ACME', at: '2024-03-04T15:00:00Z', headline: 'Acme wins (simulated)' },
      { symbol: 'ACME', at: '2024-03-04T16:00:00Z', headline: '123' },
    ]);
    expect(await openTextPass(app.context)()).toMatchObject({ embedded: BOOKS + 2, failed: 0 });
    const sent = provider.calls.flatMap(({ body }) => body.input);
    expect(sent).toContain('Acme wins');
    expect((await vectorsOf(app)).find(({ key }) => key === '2024-03-04 123')).toMatchObject({
      vector: null,
    });
  });

  it('embeds again what has changed, and forgets what has gone', async () => {
    const { app } = await appWith();
    await syncNews(app, NEWS);
    const run = openTextPass(app.context);
    await run();
    const { database } = app.context;
    await database.query(
      `update node set props = '{"headline":"Acme wins two orders","published_at":"2024-02-27T15:00:00.000Z"}' where key = $1`,
      [newsKey(NEWS[0]!)],
    );
    await database.query('delete from node where key = $1', [newsKey(NEWS[1]!)]);
    const before = await vectorsOf(app);
    expect(before.map(({ key }) => key)).not.toContain(newsKey(NEWS[1]!));
    expect(await run()).toMatchObject({ embedded: 1, failed: 0 });
    const changed = (rows: typeof before) => rows.find(({ key }) => key === newsKey(NEWS[0]!))!;
    const after = await vectorsOf(app);
    expect(changed(after).digest).not.toBe(changed(before).digest);
    expect(changed(after).vector).not.toBe(changed(before).vector);
    expect(after.filter((row) => row !== changed(after))).toEqual(
      before.filter((row) => row !== changed(before)),
    );
  });

  it('has nothing to do without an embedder', async () => {
    const { app } = await freshApp();
    await syncNews(app, NEWS);
    expect(await openTextPass(app.context)()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(app.context.embedderAbsence).toContain('TIGRAPH_EMBEDDINGS=off');
    expect(await modelsOf(app)).toEqual([]);
  });
});

describe('a new model', () => {
  it('takes the place of the old one once all its vectors are there', async () => {
    const { app, store } = await appWith();
    await syncNews(app, NEWS);
    const runOld = openTextPass(app.context);
    await runOld();
    const oldIndexes = await indexesOf(app);
    expect(oldIndexes).toHaveLength(1);

    const half = await startProvider((call, number) => (number === 0 ? lettersAnswer(call, 5) : 404));
    const other = await openTestApp(store, settingsOf(half, 'other'));
    expect(await openTextPass(other.context)()).toMatchObject({ embedded: BOOKS, failed: NEWS.length });
    expect(await modelsOf(app)).toEqual([
      { name: 'http/letters', whole: true },
      { name: 'http/other', whole: false },
    ]);
    expect((await vectorsOf(app)).filter(({ model }) => model === 'http/letters')).toHaveLength(
      BOOKS + NEWS.length,
    );
    await other.close();

    const whole = await startProvider((call) => lettersAnswer(call, 5));
    const again = await openTestApp(store, settingsOf(whole, 'other'));
    expect(await openTextPass(again.context)()).toEqual({ embedded: NEWS.length, failed: 0, message: null });
    expect(await modelsOf(app)).toEqual([{ name: 'http/other', whole: true }]);
    const rows = await vectorsOf(app);
    expect(rows).toHaveLength(BOOKS + NEWS.length);
    expect(new Set(rows.map(({ vector }) => JSON.parse(vector).length))).toEqual(new Set([5]));
    const newIndexes = await indexesOf(app);
    expect(newIndexes).toHaveLength(1);
    expect(newIndexes).not.toEqual(oldIndexes);
    // The process that still has the old model must not fight for it.
    expect(await runOld()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(await modelsOf(app)).toEqual([{ name: 'http/other', whole: true }]);
    await again.close();
  });

  it('under an old name is found out by its dimensions', async () => {
    const { app, store } = await appWith();
    await syncNews(app, NEWS.slice(0, 1));
    await openTextPass(app.context)();
    await syncNews(app, NEWS, 'more');
    const provider = await startProvider((call) => lettersAnswer(call, 5));
    const other = await openTestApp(store, settingsOf(provider));
    const report = await openTextPass(other.context)();
    expect(report).toMatchObject({ embedded: 0, failed: NEWS.length - 1 });
    expect(report.message).toContain('dimensions');
    await other.close();
  });

  it.each([
    [2_500, 1],
    [5_000, 0],
  ])('of %i dimensions has %i indexes', async (dimensions, indexes) => {
    const { app } = await appWith((call) => lettersAnswer(call, dimensions));
    await syncNews(app, NEWS);
    expect(await openTextPass(app.context)()).toMatchObject({ failed: 0 });
    expect(await indexesOf(app)).toHaveLength(indexes);
  });
});

describe('a provider that fails', () => {
  it('is counted, and left alone after three batches', async () => {
    const { provider, app } = await appWith(() => 401);
    await syncNews(app, manyNews(160));
    const report = await openTextPass(app.context)();
    expect(report).toMatchObject({ embedded: 0, failed: BOOKS + 2 * 64 });
    expect(report.message).toContain('answers 401');
    expect(provider.calls).toHaveLength(3);
    expect(await modelsOf(app)).toEqual([]);
  });

  it('is told of once while the service runs, and made up for', async () => {
    let isDown = true;
    const { app } = await appWith((call) => (isDown ? 401 : lettersAnswer(call)));
    await syncNews(app, NEWS);
    const told: string[] = [];
    const texts = keepTextsEmbedded(app.context, (error) => told.push((error as Error).message));
    await expect.poll(() => told.length, { timeout: 15_000 }).toBe(1);
    expect(told[0]).toContain('answers 401');
    await texts.stop();
    isDown = false;
    const embedded: number[] = [];
    const again = keepTextsEmbedded(
      app.context,
      (error) => told.push((error as Error).message),
      (report) => embedded.push(report.embedded),
    );
    await expect.poll(() => embedded, { timeout: 15_000 }).toEqual([BOOKS + NEWS.length]);
    // What is written while the service runs is heard of.
    await syncNews(app, [{ symbol: 'GAMA', at: '2024-03-04T15:00:00Z', headline: 'Gama splits' }], 'later');
    await expect.poll(() => embedded, { timeout: 15_000 }).toEqual([BOOKS + NEWS.length, 1]);
    await again.stop();
    expect(told).toHaveLength(1);
  });
});

describe('an interrupted pass', () => {
  const many = manyNews(100);

  it('keeps whole batches, and the next one goes on from there', async () => {
    const caller = new AbortController();
    const { provider, app } = await appWith((call, number) => {
      if (number === 2) caller.abort(new Error('interrupted'));
      return lettersAnswer(call);
    });
    await syncNews(app, many);
    await expect(openTextPass(app.context)(caller.signal)).rejects.toThrow('interrupted');
    expect(await vectorsOf(app)).toHaveLength(BOOKS + 64);
    expect(await modelsOf(app)).toEqual([{ name: 'http/letters', whole: false }]);
    expect(await openTextPass(app.context)()).toMatchObject({ embedded: many.length - 64, failed: 0 });
    expect(await vectorsOf(app)).toHaveLength(BOOKS + many.length);
    expect(await modelsOf(app)).toEqual([{ name: 'http/letters', whole: true }]);
    expect(new Set(provider.calls.slice(3).flatMap(({ body }) => body.input)).size).toBe(many.length - 64);
  });

  it('loses nothing that was written when its process is killed', async () => {
    let kill = (): void => {};
    const provider = await startProvider((call, number) => {
      if (number !== 2) return lettersAnswer(call);
      kill();
      return 'silence';
    });
    const { app, store } = await freshApp(settingsOf(provider));
    await syncNews(app, many);
    const { dataDirectory, databaseUrl = '' } = store.options;
    const command = startCommand(['sync'], {
      ...settingsOf(provider),
      TIGRAPH_DATA_DIR: dataDirectory,
      DATABASE_URL: databaseUrl,
      LOG_LEVEL: 'silent',
    });
    kill = () => void command.process.kill('SIGKILL');
    const result = await command.ended;
    expect(result.signal, command.output()).toBe('SIGKILL');
    expect(await vectorsOf(app)).toHaveLength(BOOKS + 64);
    expect(await openTextPass(app.context)()).toMatchObject({ embedded: many.length - 64, failed: 0 });
    expect(await vectorsOf(app)).toHaveLength(BOOKS + many.length);
  });
});
