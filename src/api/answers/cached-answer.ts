import { CodedError } from '../../base/errors.ts';
import { type Answer, type DependsOn, sealAnswer } from '../context/answer-cache.ts';
import type { AppContext } from '../context/app-context.ts';

/** How to make an answer, and how long to cache it. */
export interface AnswerRecipe {
  readonly key: string;
  /** The symbol whose changes drop the answer, or `WHOLE_MARKET`. */
  readonly symbol: string;
  /** Begins the sentence of a timeout: "AAPL was not answered". */
  readonly late: string;
  /**
   * @returns the JSON text, or bytes of another format, its expiry, epoch milliseconds, and which facts it depends on;
   *   without that on all
   */
  readonly make: (signal: AbortSignal) => Promise<{
    readonly text: string | Uint8Array;
    readonly expires: number;
    readonly dependsOn?: DependsOn;
  }>;
}

/**
 * Makes an answer, or shares one in progress for the same key, and caches it until it expires or its symbol changes.
 *
 * @throws CodedError overloaded, query_timeout, and what `make` throws
 */
export function cachedAnswer(
  context: Pick<AppContext, 'answers' | 'queryTimeoutMs'>,
  { key, symbol, late, make }: AnswerRecipe,
): Promise<Answer> {
  const { answers } = context;
  return answers.share(key, symbol, async () => {
    const { generation } = answers;
    const { text, expires, dependsOn } = await inTime(context, late, make);
    const answer = sealAnswer(text);
    answers.put(key, symbol, answer, expires, generation, dependsOn);
    return answer;
  });
}

/**
 * Runs `work` under the time limit of a query.
 *
 * @param late begins the sentence of the error
 * @throws CodedError query_timeout; what `work` throws before the time is up
 */
export async function inTime<Value>(
  { queryTimeoutMs }: Pick<AppContext, 'queryTimeoutMs'>,
  late: string,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const signal = AbortSignal.timeout(queryTimeoutMs);
  try {
    return await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new CodedError('query_timeout', `${late} within ${queryTimeoutMs} ms`);
  }
}
