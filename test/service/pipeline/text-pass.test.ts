import { describe, expect, it, onTestFinished } from 'vitest';
import type { App } from '../../../src/app.ts';
import { Scope } from '../../../src/base/scope.ts';
import { SteppedTimers } from '../../../src/base/timers.ts';
import { PLAYBOOK_TEXTS } from '../../../src/blocks/strategies.ts';
import { keepTextsEmbedded, openTextPass } from '../../../src/pipeline/text-pass.ts';
import { appOn, freshApp, openTestApp } from '../../support/app.ts';
import {
  lettersAnswer,
  type ProviderAnswer,
  type ProviderCall,
  providerSettings,
  startProvider,
} from '../../support/embeddings-provider.ts';
import { manyNews, type NewsRow, newsKey, syncNews } from '../../support/news-market.ts';

const NEWS: readonly NewsRow[] = [
  { symbol: 'ACME', at: '2024-02-27T15:00:00Z', headline: 'Acme wins a record order (simulated)' },
  { symbol: 'ACME', at: '2024-03-04T15:00:00Z', headline: 'Acme cuts its outlook', afterMs: 600_000 },
  { symbol: 'BETA', at: '2024-03-05T15:00:00Z', headline: '123' },
];
const BOOKS = PLAYBOOK_TEXTS.length;

async function appWith(
  answer: (call: ProviderCall, number: number) => ProviderAnswer = (call) => lettersAnswer(call),
) {
  const provider = await startProvider(answer);
  const { app, store } = await freshApp(providerSettings(provider));
  return { provider, app, store };
}

const vectorsOf = ({ context: { database } }: App) =>
  database.query<{ model: string; label: string; key: string; digest: string; vector: string | null }>(
    `select m.name as model, n.label, n.key, v.digest, v.vector::text as vector
     from text_vector v join text_model m on m.id = v.model_id join node n on n.id = v.node_id order by 1, 2, 3`,
  );

const modelsOf = ({ context: { database } }: App) =>
  database.query<{ name: string; whole: boolean }>(
    'select name, whole_at is not null as whole from text_model order by id',
  );

describe('a pass over the texts', () => {
  it('gives every news item and every playbook a vector, once, and again where the text has changed', async () => {
    const { provider, app } = await appWith();
    await syncNews(app, NEWS);
    const run = openTextPass(app.context);
    expect(await run()).toEqual({ embedded: BOOKS + NEWS.length, failed: 0, message: null });
    const rows = await vectorsOf(app);
    const keysOf = (label: string) => rows.filter((row) => row.label === label).map(({ key }) => key);
    expect(keysOf('News')).toEqual(NEWS.map(newsKey).sort());
    expect(keysOf('Playbook')).toEqual(PLAYBOOK_TEXTS.map(({ key }) => key).sort());
    expect(await modelsOf(app)).toEqual([{ name: 'http/letters', whole: true }]);
    // The mark of simulated headlines is left out, and a text without a letter has no vector.
    expect(provider.calls.flatMap(({ body }) => body.input)).toContain('Acme wins a record order');
    expect(rows.filter(({ vector }) => vector === null).map(({ key }) => key)).toEqual(['2024-03-05 123']);

    const calls = provider.calls.length;
    expect(await run()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(await openTextPass(app.context)()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(await vectorsOf(app)).toEqual(rows);
    expect(provider.calls).toHaveLength(calls);

    const { database } = app.context;
    await database.query(`update node set props = '{"headline":"Acme wins two orders"}' where key = $1`, [
      newsKey(NEWS[0]!),
    ]);
    await database.query('delete from node where key = $1', [newsKey(NEWS[1]!)]);
    expect((await vectorsOf(app)).map(({ key }) => key)).not.toContain(newsKey(NEWS[1]!));
    expect(await run()).toMatchObject({ embedded: 1, failed: 0 });
    expect(provider.calls.at(-1)!.body.input).toEqual(['Acme wins two orders']);
    const after = await vectorsOf(app);
    const changed = after.filter(({ key }) => key === newsKey(NEWS[0]!));
    expect(changed).not.toEqual(rows.filter(({ key }) => key === newsKey(NEWS[0]!)));
  });

  it('has nothing to do without a provider', async () => {
    const { app } = await freshApp();
    expect(await openTextPass(app.context)()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(await modelsOf(app)).toEqual([]);
  });
});

describe('a new model', () => {
  it('takes the place of the old one once all its vectors are there', async () => {
    const { app, store } = await appWith();
    await syncNews(app, NEWS);
    const runOld = openTextPass(app.context);
    await runOld();

    // The same name with other dimensions is another model.
    const sameName = await startProvider((call) => lettersAnswer(call, 5));
    const renamed = await openTestApp(store, providerSettings(sameName));
    await app.context.database.query(`delete from text_vector where label = 'Playbook'`);
    expect(await openTextPass(renamed.context)()).toMatchObject({
      failed: BOOKS,
      message: expect.stringContaining('dimensions'),
    });
    await renamed.close();

    const half = await startProvider((call, number) => (number === 0 ? lettersAnswer(call, 5) : 404));
    const other = await openTestApp(store, providerSettings(half, 'other'));
    expect(await openTextPass(other.context)()).toMatchObject({ embedded: BOOKS, failed: NEWS.length });
    expect(await modelsOf(app)).toEqual([
      { name: 'http/letters', whole: true },
      { name: 'http/other', whole: false },
    ]);
    await other.close();

    const whole = await startProvider((call) => lettersAnswer(call, 5));
    const again = await appOn(store, providerSettings(whole, 'other'));
    expect(await openTextPass(again.context)()).toEqual({ embedded: NEWS.length, failed: 0, message: null });
    expect(await modelsOf(app)).toEqual([{ name: 'http/other', whole: true }]);
    const vectors = (await vectorsOf(app)).flatMap(({ vector }) => vector ?? []);
    expect(new Set(vectors.map((vector) => JSON.parse(vector).length))).toEqual(new Set([5]));
    // The process that still has the old model must not fight for it.
    expect(await runOld()).toEqual({ embedded: 0, failed: 0, message: null });
    expect(await modelsOf(app)).toEqual([{ name: 'http/other', whole: true }]);
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

  it('is reported once while the service runs, and made up for', async () => {
    let isDown = true;
    const { provider, app } = await appWith((call) => (isDown ? 401 : lettersAnswer(call)));
    await syncNews(app, NEWS);
    const failures: string[] = [];
    let embedded = 0;
    const timers = new SteppedTimers();
    const scope = new Scope('passes', timers);
    onTestFinished(() => scope.close());
    const advance = (ms: number) => timers.advance(ms, () => scope.idle());
    await keepTextsEmbedded(
      scope,
      app.context,
      (error) => failures.push((error as Error).message),
      (report) => {
        embedded += report.embedded;
      },
    );
    await advance(303_000);
    expect(provider.calls.length).toBeGreaterThan(2);
    expect(failures).toEqual([expect.stringContaining('answers 401')]);
    isDown = false;
    await advance(300_000);
    expect(embedded).toBe(BOOKS + NEWS.length);
    await syncNews(app, [{ symbol: 'GAMA', at: '2024-03-04T15:00:00Z', headline: 'Gama splits' }], 'later');
    await app.idle();
    await advance(3_000);
    expect(embedded).toBe(BOOKS + NEWS.length + 1);
    expect(failures).toHaveLength(1);
  });
});

describe('an interrupted pass', () => {
  it('keeps whole batches, and the next one goes on from there', async () => {
    const many = manyNews(100);
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
});
