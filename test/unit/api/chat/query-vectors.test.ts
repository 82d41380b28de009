import { describe, expect, it } from 'vitest';
import { openQueryVectors } from '../../../../src/api/context/query-vectors.ts';
import { httpEmbedder } from '../../../../src/graph/http-embedder.ts';
import { lettersAnswer, type ProviderAnswer, startProvider } from '../../../support/embeddings-provider.ts';

/** Long enough for a busy machine. */
const WAIT = { waitMs: 30_000, pauseMs: 60_000 };
/** What a provider that never answers costs the test. */
const SILENCE_MS = 1_500;

async function vectorsBy(
  answer: (text: string) => ProviderAnswer | 'vectors',
  options: { waitMs: number; pauseMs: number } = WAIT,
) {
  const provider = await startProvider((call) => {
    const given = answer(call.body.input[0]!);
    return given === 'vectors' ? lettersAnswer(call) : given;
  });
  const failures: string[] = [];
  const embedder = httpEmbedder({ url: provider.url, model: 'letters', backoffMs: 1 });
  const vectors = openQueryVectors(embedder, ({ message }) => failures.push(message), options);
  return { provider, failures, vectors };
}

describe('vectors of queries', () => {
  it('come from the provider once', async () => {
    const { provider, vectors, failures } = await vectorsBy(() => 'vectors');
    const first = await vectors.of('lawsuit');
    expect(first).toMatchObject({ model: 'http/letters' });
    expect(first!.vector).toHaveLength(26);
    expect(await vectors.of('lawsuit')).toEqual(first);
    expect(provider.calls).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('are null where they have no direction', async () => {
    const { provider, vectors, failures } = await vectorsBy(() => 'vectors');
    for (const _ of ['asked', 'kept']) expect(await vectors.of('12 34')).toBeNull();
    expect(provider.calls).toHaveLength(1);
    expect(failures).toEqual([]);
  });

  it('are null without a provider', async () => {
    expect(await openQueryVectors(null, () => {}, WAIT).of('lawsuit')).toBeNull();
  });

  it.each([['silence'], [401], [{ text: 'no JSON' }]] as const)(
    'are null while the provider answers %j, which is reported once; known ones stay',
    async (broken) => {
      const { provider, vectors, failures } = await vectorsBy(
        (text) => (text === 'known' ? 'vectors' : broken),
        broken === 'silence' ? { ...WAIT, waitMs: SILENCE_MS } : WAIT,
      );
      const known = await vectors.of('known');
      expect(await vectors.of('lawsuit')).toBeNull();
      const calls = provider.calls.length;
      expect(await vectors.of('outlook')).toBeNull();
      expect(await vectors.of('known')).toEqual(known);
      // It is not called again for a while.
      expect(provider.calls).toHaveLength(calls);
      expect(failures).toHaveLength(1);
      if (broken === 'silence') expect(failures[0]).toContain(`did not answer within ${SILENCE_MS} ms`);
    },
  );

  it('are requested again after the pause, and a later failure is reported again', async () => {
    let isDown = true;
    const { vectors, failures } = await vectorsBy(() => (isDown ? 401 : 'vectors'), {
      waitMs: 5_000,
      pauseMs: 0,
    });
    for (const query of ['one', 'two']) expect(await vectors.of(query)).toBeNull();
    expect(failures).toHaveLength(1);
    isDown = false;
    expect(await vectors.of('one')).not.toBeNull();
    isDown = true;
    expect(await vectors.of('three')).toBeNull();
    expect(failures).toHaveLength(2);
  });
});
