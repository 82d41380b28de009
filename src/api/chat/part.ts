import { CodedError, type ErrorCode } from '../../base/errors.ts';

/** A part of the answer, or why there is none. */
export type Part<Value> =
  | { readonly value: Value; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/** Codes of data that does not exist here. */
const ABSENT: ReadonlySet<ErrorCode> = new Set(['topology_not_loaded', 'feature_disabled']);

/**
 * A part that may be missing: an absence becomes a reason, an error stays an error.
 *
 * @param absence why a value holds nothing; null where it holds something
 */
export async function partOf<Value>(
  making: Promise<Value>,
  absence: (value: Value) => string | null = () => null,
): Promise<Part<Value>> {
  try {
    const value = await making;
    const reason = absence(value);
    return reason === null ? { value, reason } : { value: null, reason };
  } catch (error) {
    if (!(error instanceof CodedError)) throw error;
    if (error.kind !== 'not_found' && !ABSENT.has(error.code)) throw error;
    return { value: null, reason: error.message };
  }
}
