import { describe, expect, it } from 'vitest';
import { CodedError } from '../../../src/base/errors.ts';
import { realTimers, type Timers } from '../../../src/base/timers.ts';
import { type HttpProvider, httpEmbedder } from '../../../src/graph/http-embedder.ts';
import {
  lettersAnswer,
  lettersOf,
  type ProviderAnswer,
  startProvider,
} from '../../support/embeddings-provider.ts';

const KEY = 'sk-hunter2';

const embedderAt = (url: string, more: Partial<HttpProvider> = {}) =>
  httpEmbedder({ url, model: 'letters', apiKey: KEY, backoffMs: 1, ...more });

const unit = (values: readonly number[]): number[] => values.map((value) => value / Math.hypot(...values));

async function refusalOf(work: Promise<unknown>): Promise<CodedError> {
  const error = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof CodedError)) throw new Error(`not refused: ${String(error)}`);
  expect(error.code).toBe('embedder_unavailable');
  expect(`${error.message} ${JSON.stringify(error)} ${String(error.cause)}`).not.toContain(KEY);
  return error;
}

const vectorsText = (vectors: readonly unknown[]): ProviderAnswer => ({
  text: JSON.stringify({ data: vectors.map((embedding, index) => ({ index, embedding })) }),
});

describe('embedding by HTTP', () => {
  it('sends model, texts and key, and puts the answers into the order of the texts', async () => {
    const provider = await startProvider((call) => lettersAnswer(call));
    const embedder = embedderAt(`${provider.url}/`);
    expect(embedder.model).toBe('http/letters');
    const vectors = await embedder.embed(['aab', 'zz', 'cab']);
    expect(provider.calls).toHaveLength(1);
    const [call] = provider.calls;
    expect(call!.url).toBe('/v1/embeddings');
    expect(call!.headers.authorization).toBe(`Bearer ${KEY}`);
    expect(call!.body).toEqual({ model: 'letters', input: ['aab', 'zz', 'cab'] });
    for (const [at, text] of ['aab', 'zz', 'cab'].entries()) {
      const expected = unit(lettersOf(text));
      for (const [place, value] of vectors[at]!.entries()) expect(value).toBeCloseTo(expected[place]!, 6);
    }
  });

  it('asks for the dimensions that are set, and names the model by them', async () => {
    const provider = await startProvider((call) => lettersAnswer(call, call.body.dimensions));
    const embedder = embedderAt(provider.url, { dimensions: 8 });
    expect(embedder.model).toBe('http/letters/8');
    expect((await embedder.embed(['abc']))[0]).toHaveLength(8);
    expect(provider.calls[0]!.body.dimensions).toBe(8);
  });

  it('sends at most 64 texts and 50,000 characters at once, none of more than 8,000, and no blank one', async () => {
    const provider = await startProvider((call) => lettersAnswer(call));
    const texts = [
      ' ',
      ...Array.from({ length: 130 }, (_, at) => `text ${at}`),
      ...Array(7).fill('x'.repeat(9_000)),
    ];
    const vectors = await embedderAt(provider.url).embed(texts);
    expect(provider.calls.map(({ body }) => body.input.length)).toEqual([64, 64, 8, 1]);
    for (const { body } of provider.calls) {
      expect(body.input.join('').length).toBeLessThanOrEqual(50_000);
      expect(Math.max(...body.input.map((text) => text.length))).toBeLessThanOrEqual(8_000);
    }
    expect(vectors).toHaveLength(texts.length);
    expect(vectors[0]).toEqual(new Float32Array(26));
    expect(vectors.slice(1).every((vector) => vector.some((value) => value > 0))).toBe(true);
  });

  it.each([429, 500, 503])('tries again after %i', async (status) => {
    const provider = await startProvider((call, number) => (number < 2 ? status : lettersAnswer(call)));
    expect((await embedderAt(provider.url).embed(['abc']))[0]).toHaveLength(26);
    expect(provider.calls).toHaveLength(3);
  });

  it('waits as long as the provider asks', async () => {
    const provider = await startProvider((call, number) =>
      number === 0 ? { status: 429, headers: { 'retry-after': '1' }, text: '{}' } : lettersAnswer(call),
    );
    const waits: number[] = [];
    const timers: Timers = {
      ...realTimers,
      after(ms, callback) {
        waits.push(ms);
        return realTimers.after(0, callback);
      },
    };
    await embedderAt(provider.url, { timers }).embed(['abc']);
    expect(waits).toEqual([1_000]);
  });

  it('gives up after four calls that fail', async () => {
    const provider = await startProvider(() => 500);
    const { message } = await refusalOf(embedderAt(provider.url).embed(['abc']));
    expect(message).toBe(`The embeddings provider at ${new URL(provider.url).origin} answers 500 (4 calls).`);
    expect(provider.calls).toHaveLength(4);
  });

  it.each([400, 401, 404, 302])('does not try again after %i', async (status) => {
    const provider = await startProvider(() => ({
      status,
      headers: { location: '/elsewhere' },
      text: `{"error":"${KEY}"}`,
    }));
    expect((await refusalOf(embedderAt(provider.url).embed(['abc']))).message).toContain(
      `answers ${status}.`,
    );
    expect(provider.calls).toHaveLength(1);
  });

  it('gives up a call that takes too long', async () => {
    const provider = await startProvider(() => 'silence');
    const { message } = await refusalOf(embedderAt(provider.url, { timeoutMs: 20 }).embed(['abc']));
    expect(message).toContain('did not answer within 20 ms (4 calls)');
  });

  it('gives up where nobody listens', async () => {
    const { message } = await refusalOf(embedderAt('http://127.0.0.1:9/v1').embed(['abc']));
    expect(message).toContain('cannot be reached (4 calls)');
  });

  it('ends at once when its caller goes', async () => {
    const caller = new AbortController();
    const provider = await startProvider(() => {
      caller.abort(new Error('gone'));
      return 'silence';
    });
    await expect(embedderAt(provider.url).embed(['abc'], { signal: caller.signal })).rejects.toThrow('gone');
    expect(provider.calls).toHaveLength(1);
  });

  it.each<readonly [string, ProviderAnswer, string]>([
    ['malformed JSON', { text: '{"data": [' }, 'what is no JSON'],
    ['null', { text: 'null' }, 'something else than vectors'],
    ['no list', { text: '{"data": {}}' }, 'something else than vectors'],
    [
      'rows without vectors',
      { text: '{"data": [{"index": 0}, {"index": 1}]}' },
      'something else than vectors',
    ],
    ['a vector too few', vectorsText([[1, 2]]), '1 vectors for 2 texts'],
    [
      'an index twice',
      { text: '{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}' },
      '1 vectors for 2',
    ],
    [
      'an index beyond',
      { text: '{"data":[{"index":0,"embedding":[1]},{"index":2,"embedding":[1]}]}' },
      '1 vectors for 2',
    ],
    ['two lengths', vectorsText([[1, 2], [1]]), 'vectors of 1 dimensions where 2 are expected'],
    ['empty vectors', vectorsText([[], []]), '0 vectors for 2 texts'],
    [
      'words in place of numbers',
      vectorsText([
        ['a', 'b'],
        ['c', 'd'],
      ]),
      'no numbers',
    ],
    [
      'null in place of numbers',
      vectorsText([
        [1, null],
        [1, 2],
      ]),
      'no numbers',
    ],
    ['an endless answer', { text: ' '.repeat(17_000_000) }, 'more than 16777216 bytes'],
  ])('refuses %s', async (_, answer, reason) => {
    const provider = await startProvider(() => answer);
    expect((await refusalOf(embedderAt(provider.url).embed(['one', 'two']))).message).toContain(reason);
    expect(provider.calls).toHaveLength(1);
  });

  it('refuses vectors of another length than before', async () => {
    const provider = await startProvider((call, number) => lettersAnswer(call, number === 0 ? 26 : 13));
    const embedder = embedderAt(provider.url);
    await embedder.embed(['abc']);
    const { message } = await refusalOf(embedder.embed(['abc']));
    expect(message).toContain('vectors of 13 dimensions where 26 are expected');
  });
});
