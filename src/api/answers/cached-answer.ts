import { abortable } from '../../base/abortable.ts';
import { callerLeft } from '../../base/caller.ts';
import { CodedError } from '../../base/errors.ts';
import { type Answer, type DependsOn, sealAnswer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';

export interface AnswerRecipe {
  readonly key: string;
  /** The symbol whose changes drop the answer, or `WHOLE_MARKET`. */
  readonly symbol: string;
  /** Begins the sentence of a timeout: "AAPL was not answered". */
  readonly late: string;
  /**
   * @returns the JSON text, or bytes of another format, its expiry, epoch milliseconds, null for an answer that is not
   *   final and not kept, and which facts it depends on; without that on all; `digest` as of `sealAnswer`
   */
  readonly make: (signal: AbortSignal) => Promise<{
    readonly text: string | Uint8Array;
    readonly digest?: string;
    readonly expires: number | null;
    readonly dependsOn?: DependsOn;
  }>;
}

/**
 * The cached answer at once; else makes one, or shares one in progress for the same key, and caches it until it expires
 * or its symbol changes.
 *
 * @throws CodedError overloaded, query_timeout, and what `make` throws
 */
export function cachedAnswer(
  context: Pick<AppContext, 'answers' | 'clock' | 'queryTimeoutMs'>,
  { key, symbol, late, make }: AnswerRecipe,
): Answer | Promise<Answer> {
  const { answers, clock } = context;
  const share = () =>
    answers.share(key, symbol, async () => {
      const isCurrent = answers.keptUntil(symbol);
      const { text, digest, expires, dependsOn } = await inTime(context, late, make);
      const answer = sealAnswer(text, expires !== null, digest);
      if (expires !== null) answers.put(key, symbol, answer, expires, isCurrent, dependsOn);
      return answer;
    });
  return answers.get(key, clock.now()) ?? share();
}

/**
 * Runs `work` under the time limit of a query, as long as its caller waits.
 *
 * @param late begins the sentence of the error
 * @throws CodedError query_timeout; what `work` throws before the time is up; the reason of the caller's signal
 */
export async function inTime<Value>(
  { queryTimeoutMs }: Pick<AppContext, 'queryTimeoutMs'>,
  late: string,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const limit = AbortSignal.timeout(queryTimeoutMs);
  const left = callerLeft();
  const signal = left === undefined ? limit : AbortSignal.any([limit, left]);
  try {
    return await abortable(work(signal), signal);
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new CodedError('query_timeout', `${late} within ${queryTimeoutMs} ms`);
  }
}
