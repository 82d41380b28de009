import { parentPort } from 'node:worker_threads';
import { type Encoder, openEncoder } from '../export/encoders.ts';
import type { FromExporter, ToExporter } from './exporter.ts';
import { lowerPriority } from './thread.ts';

/** Writes files beside the event loop, one after the other. */

const port = parentPort!;
let encoder: Encoder | null = null;

const send = (message: FromExporter, memory: ArrayBuffer[] = []): void => port.postMessage(message, memory);

/** A copy, since what the encoder gives may be a view of memory that it goes on using. */
function emit(bytes: Uint8Array): void {
  const own = new Uint8Array(bytes);
  send({ kind: 'bytes', bytes: own }, [own.buffer]);
}

async function act(message: ToExporter): Promise<void> {
  if (message.kind === 'begin') encoder = openEncoder(message.head, emit);
  else if (message.kind === 'rows') {
    await encoder!.write(message.batch);
    send({ kind: 'taken' });
  } else send({ kind: 'ended', ...(await encoder!.end()) });
}

lowerPriority('behind_answers');
port.on('message', (message: ToExporter) => {
  act(message).catch((error: unknown) => send({ kind: 'failed', error }));
});
