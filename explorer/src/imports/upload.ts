import { dataOf, TigraphError } from '@tigraph/client';
import { client } from '../shared/api/client.ts';
import type { Import } from '../shared/api/queries.ts';

/** Characters of one call: all of a part at once are too many arguments. */
const CALL_BYTES = 32_768;
const RETRIES = 5;
const RETRY_MS = 1_000;

export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += CALL_BYTES) {
    text += String.fromCharCode(...bytes.subarray(at, at + CALL_BYTES));
  }
  return btoa(text);
}

/**
 * Sends a file part by part; no more of it than a part is in memory.
 *
 * @param onSent called with what the service holds after each part
 * @throws TigraphError when the service refuses it, or stays away; the reason of the signal
 */
export async function sendFile(
  file: File,
  onSent: (held: Import) => void,
  signal: AbortSignal,
): Promise<Import> {
  const { name, size: bytes } = file;
  let held = await dataOf(client.POST('/api/internal/imports', { body: { name, bytes }, signal }));
  onSent(held);
  const path = { id: held.id };
  for (let failures = 0; held.received < bytes; ) {
    const part = file.slice(held.received, held.received + held.part_bytes);
    const base64 = base64Of(new Uint8Array(await part.arrayBuffer()));
    try {
      const body = { offset: held.received, base64 };
      held = await dataOf(
        client.POST('/api/internal/imports/{id}/parts', { params: { path }, body, signal }),
      );
      failures = 0;
    } catch (error) {
      if (signal.aborted || !(error instanceof TigraphError && error.isTemporary) || ++failures > RETRIES)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS * failures));
      // The part may have arrived although its answer did not.
      held = await dataOf(client.GET('/api/internal/imports/{id}', { params: { path }, signal }));
    }
    onSent(held);
  }
  return held;
}
