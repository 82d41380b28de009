import { CodedError } from '../../base/errors.ts';

/** A part of the answer, or why there is none. */
export type Part<Value> =
  | { readonly value: Value; readonly reason: null }
  | { readonly value: null; readonly reason: string };

/**
 * A part that may be missing: what is not known is a reason here, what went wrong still goes wrong.
 *
 * @param lack why a value that came says nothing; null where it says something
 */
export async function partOf<Value>(
  making: Promise<Value>,
  lack: (value: Value) => string | null = () => null,
): Promise<Part<Value>> {
  try {
    const value = await making;
    const reason = lack(value);
    return reason === null ? { value, reason } : { value: null, reason };
  } catch (error) {
    const isLack =
      error instanceof CodedError && (error.kind === 'not_found' || error.code === 'topology_not_loaded');
    if (!isLack) throw error;
    return { value: null, reason: error.message };
  }
}
