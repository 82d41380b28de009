import { CodedError } from '../base/errors.ts';
import { realTimers, rest, type Timers } from '../base/timers.ts';
import type { Embedder } from './embedder.ts';

/** A provider that speaks the embeddings call of OpenAI's API, as most servers of models do. */
export interface HttpProvider {
  /** Address before `/embeddings`, e.g. `https://api.openai.com/v1`. */
  readonly url: string;
  readonly model: string;
  /** Sent as bearer token; local servers often need none. */
  readonly apiKey?: string | undefined;
  /** Asked of models that can shorten their vectors, and expected of all. */
  readonly dimensions?: number | undefined;
  /** Time that one call may take. */
  readonly timeoutMs?: number;
  /** Time before the second call; each further one waits twice as long. */
  readonly backoffMs?: number;
  /** The machine's unless set. */
  readonly timers?: Timers;
}

const TEXTS_AT_ONCE = 64;
/** Of all texts of a call, and of one: models read some 8,000 tokens of four letters. */
const CHARACTERS_AT_ONCE = 50_000;
const CHARACTERS_MAX = 8_000;
const TIMEOUT_MS = 20_000;
const BACKOFF_MS = 500;
const WAIT_MAX_MS = 30_000;
const CALLS_MAX = 4;
/** 64 vectors of 4,096 numbers as text are 6 MB. */
const ANSWER_BYTES_MAX = 16_777_216;
/** Statuses that a later call may not meet; so may a connection that failed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** What is wrong with an answer, and when a further call may fare better: null for never. */
class Fault extends Error {
  readonly retryAfterMs: number | null;

  constructor(message: string, retryAfterMs: number | null, cause?: unknown) {
    super(message, { cause });
    this.retryAfterMs = retryAfterMs;
  }
}

/** The name under which vectors of a provider's model are kept; the provider may move, its model is what it is. */
const httpModel = ({ model, dimensions }: HttpProvider): string =>
  `http/${model}${dimensions === undefined ? '' : `/${dimensions}`}`;

/** Vectors by HTTP. The key goes nowhere but into the call's header, and redirects are not followed with it. */
export function httpEmbedder(provider: HttpProvider): Embedder {
  let dimensions = provider.dimensions ?? null;
  return {
    model: httpModel(provider),
    async embed(texts, { signal } = {}) {
      const vectors: Float32Array[] = texts.map(() => new Float32Array(0));
      for (const places of batchesOf(texts)) {
        const inputs = places.map((place) => texts[place]!.slice(0, CHARACTERS_MAX));
        const answered = await persistently(provider, signal, () =>
          call(provider, inputs, dimensions, signal),
        );
        dimensions ??= answered[0]!.length;
        for (const [at, place] of places.entries()) vectors[place] = unitOf(answered[at]!);
      }
      // Providers refuse texts without a letter; there is nothing to know about them.
      return vectors.map((vector) => (vector.length > 0 ? vector : new Float32Array(dimensions ?? 0)));
    },
  };
}

/** The same direction with length 1; zeros stay zeros. */
function unitOf(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector) || 1;
  return Float32Array.from(vector, (value) => value / length);
}

/** Places of the texts that hold something, as they go together. */
function* batchesOf(texts: readonly string[]): Iterable<number[]> {
  let places: number[] = [];
  let characters = 0;
  for (const [place, text] of texts.entries()) {
    if (text.trim() === '') continue;
    const length = Math.min(text.length, CHARACTERS_MAX);
    if (places.length === TEXTS_AT_ONCE || (places.length > 0 && characters + length > CHARACTERS_AT_ONCE)) {
      yield places;
      places = [];
      characters = 0;
    }
    places.push(place);
    characters += length;
  }
  if (places.length > 0) yield places;
}

/** Calls until it answers, a few times, each time later. @throws CodedError embedder_unavailable */
async function persistently<T>(
  { url, backoffMs = BACKOFF_MS, timers = realTimers }: HttpProvider,
  signal: AbortSignal | undefined,
  attempt: () => Promise<T>,
): Promise<T> {
  for (let calls = 1; ; calls++) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof Fault)) throw error;
      if (error.retryAfterMs === null || calls === CALLS_MAX) {
        const tried = calls === 1 ? '' : ` (${calls} calls)`;
        const message = `The embeddings provider at ${new URL(url).origin} ${error.message}${tried}.`;
        throw new CodedError('embedder_unavailable', message, { cause: error.cause });
      }
      const wait = Math.max(error.retryAfterMs, backoffMs * 2 ** (calls - 1));
      await rest(timers, Math.min(wait, WAIT_MAX_MS), signal === undefined ? {} : { signal });
      signal?.throwIfAborted();
    }
  }
}

async function call(
  { url, model, apiKey, dimensions: asked, timeoutMs = TIMEOUT_MS }: HttpProvider,
  input: readonly string[],
  dimensions: number | null,
  signal: AbortSignal | undefined,
): Promise<number[][]> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const text = await post(
    `${url.replace(/\/+$/, '')}/embeddings`,
    { model, input, ...(asked === undefined ? {} : { dimensions: asked }) },
    apiKey,
    signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
  ).catch((error: unknown) => {
    if (error instanceof Fault) throw error;
    if (timeout.aborted) throw new Fault(`did not answer within ${timeoutMs} ms`, 0);
    throw new Fault('cannot be reached', 0, error);
  });
  return vectorsOf(text, input.length, dimensions);
}

async function post(
  address: string,
  body: object,
  apiKey: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify(body),
    redirect: 'manual',
    signal,
  });
  if (response.status === 200) return readWithin(response, ANSWER_BYTES_MAX);
  await response.body?.cancel();
  // The answer's own words may hold the key, or part of it.
  const passing = PASSING.has(response.status);
  throw new Fault(`answers ${response.status}`, passing ? retryAfterOf(response.headers) : null);
}

async function readWithin(response: Response, bytesMax: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > bytesMax) throw new Fault(`answers with more than ${bytesMax} bytes`, null);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** Seconds, as providers of models send it; a date is answered by the usual backoff. */
function retryAfterOf(headers: Headers): number {
  const seconds = Number(headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 0;
}

/** Vectors in the order of the texts, each of one length and of finite numbers. */
function vectorsOf(text: string, count: number, dimensions: number | null): number[][] {
  const rows = rowsOf(text);
  const vectors: (number[] | undefined)[] = new Array(count).fill(undefined);
  for (const { index, embedding } of rows) if (index in vectors) vectors[index] = embedding;
  const length = dimensions ?? vectors[0]?.length ?? 0;
  const whole = vectors.filter((vector): vector is number[] => vector !== undefined && vector.length > 0);
  if (rows.length !== count || whole.length !== count) {
    throw new Fault(`answers ${whole.length} vectors for ${count} texts`, null);
  }
  const other = whole.find((vector) => vector.length !== length);
  if (other !== undefined) {
    throw new Fault(`answers vectors of ${other.length} dimensions where ${length} are expected`, null);
  }
  if (!whole.every((vector) => vector.every(Number.isFinite))) throw new Fault('answers no numbers', null);
  return whole;
}

interface Row {
  readonly index: number;
  readonly embedding: number[];
}

function rowsOf(text: string): Row[] {
  const data = dataOf(text);
  const isRow = (row: unknown): row is Row =>
    typeof row === 'object' &&
    row !== null &&
    Number.isInteger((row as Row).index) &&
    Array.isArray((row as Row).embedding);
  if (!Array.isArray(data) || !data.every(isRow))
    throw new Fault('answers something else than vectors', null);
  return data;
}

function dataOf(text: string): unknown {
  try {
    return (JSON.parse(text) as { data?: unknown } | null)?.data;
  } catch (error) {
    throw new Fault('answers what is no JSON', null, error);
  }
}
