import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { memoize } from '../../base/memoize.ts';
import type { AnswerCache, Coding } from '../context/answer-cache.ts';

/** Compresses answers in node's thread pool, never on the event loop. */

/** Smaller bodies fit into the first packet uncompressed. */
export const COMPRESSED_BYTES_MIN = 1_024;
/** Beyond this answers go out uncompressed rather than wait. */
const RUNNING_MAX = 32;
/** The last text of a route is cached from this length on: the OpenAPI document and the script of its page. */
const CACHED_LENGTH_MIN = 65_536;
/** Cached readings of `Accept-Encoding`. */
const READINGS_MAX = 200;

/**
 * Measured on stock details of 22 and 53 KB: Brotli 4 takes 0.8 and 1.6 ms for 28 and 25 % of the size,
 * level 5 takes 2 and 12 ms for 2 % less. Gzip 6 takes 0.7 and 1.2 ms for as much as Brotli 4; level 9 saves 1 % of it.
 */
const BROTLI_QUALITY = 4;
const GZIP_LEVEL = 6;

const brotli = promisify(brotliCompress);
const deflate = promisify<Buffer, { level: number }, Buffer>(gzip);

function compressed(body: Buffer, coding: Coding): Promise<Buffer> {
  if (coding === 'gzip') return deflate(body, { level: GZIP_LEVEL });
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = constants;
  return brotli(body, {
    params: { [BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [BROTLI_PARAM_SIZE_HINT]: body.length },
  });
}

/** The library's results are views of 64 KB that would stay in memory with them. */
const exactly = ({ buffer, byteOffset, length }: Buffer): Buffer =>
  Buffer.from(buffer.slice(byteOffset, byteOffset + length));

/** The coding that a caller prefers, Brotli before gzip at equal weight; null for no compression. */
export const codingOf = (accepted: string | undefined): Coding | null =>
  accepted === undefined ? null : readAccepted(accepted);

/** RFC 9110, section 12.5.3. */
const readAccepted = memoize(READINGS_MAX, (accepted): Coding | null => {
  const weights = new Map<string, number>();
  for (const part of accepted.toLowerCase().split(',')) {
    const [, name, weight] = /^\s*([^\s;]+)\s*(?:;\s*q\s*=\s*([\d.]+)\s*)?$/.exec(part) ?? [];
    const q = weight === undefined ? 1 : Number(weight);
    if (name !== undefined && q >= 0 && q <= 1) weights.set(name === 'x-gzip' ? 'gzip' : name, q);
  }
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [br, gz] = [weightOf('br'), weightOf('gzip')];
  const best = Math.max(br, gz);
  if (best === 0 || best < (weights.get('identity') ?? 0)) return null;
  return br === best ? 'br' : 'gzip';
});

/** The last large text of a route and its compressed copies. */
interface CachedText {
  readonly text: string;
  readonly copies: Map<Coding, Promise<Buffer>>;
}

/** Compresses answers off the fast path. Copies of cached answers lie beside them in the cache and count towards it. */
export function compressAnswers(app: FastifyInstance, answers: AnswerCache): void {
  const pending = new Map<Buffer, Map<Coding, Promise<Buffer>>>();
  const texts = new Map<string, CachedText>();
  let running = 0;

  async function compress(body: Buffer, coding: Coding): Promise<Buffer> {
    running++;
    try {
      return exactly(await compressed(body, coding));
    } finally {
      running--;
    }
  }

  /** Concurrent callers of one answer share its compression. */
  async function copyOfAnswer(body: Buffer, coding: Coding): Promise<Buffer> {
    const cached = answers.copyOf(body, coding);
    if (cached !== undefined) return cached;
    const copies = pending.getOrInsertComputed(body, () => new Map());
    const copy = copies.getOrInsertComputed(coding, () =>
      compress(body, coding).finally(() => pending.delete(body)),
    );
    answers.keepCopy(body, coding, await copy);
    return copy;
  }

  function copyOfText(route: string | undefined, text: string, coding: Coding): Promise<Buffer> {
    if (route === undefined || text.length < CACHED_LENGTH_MIN) return compress(Buffer.from(text), coding);
    let cached = texts.get(route);
    if (cached?.text !== text) {
      cached = { text, copies: new Map() };
      texts.set(route, cached);
    }
    return cached.copies.getOrInsertComputed(coding, () => compress(Buffer.from(text), coding));
  }

  app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    if (!isCompressible(reply, payload)) return payload;
    addVary(reply);
    const coding = codingOf(request.headers['accept-encoding']);
    if (coding === null || running >= RUNNING_MAX) return payload;
    const copy = await (typeof payload === 'string'
      ? copyOfText(request.routeOptions.url, payload, coding)
      : copyOfAnswer(payload, coding));
    reply.header('content-encoding', coding).removeHeader('content-length');
    return copy;
  });
}

const COMPRESSIBLE =
  /^(?:application\/(?:[\w.-]+\+)?json|application\/javascript|text\/(?!event-stream)|image\/svg)/;

function isCompressible(reply: FastifyReply, payload: unknown): payload is string | Buffer {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return false;
  if (payload.length < COMPRESSED_BYTES_MIN || reply.hasHeader('content-encoding')) return false;
  // A token next to text of the caller must not be compressed: its length would leak it (BREACH).
  if (reply.hasHeader('pragma')) return false;
  return COMPRESSIBLE.test(String(reply.getHeader('content-type')));
}

function addVary(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  if (vary === undefined) reply.header('vary', 'accept-encoding');
  else if (!String(vary).includes('accept-encoding')) reply.header('vary', `${vary}, accept-encoding`);
}
