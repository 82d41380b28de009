import { parentPort, workerData } from 'node:worker_threads';
import { openStore } from '../app.ts';
import { diskRefusal } from '../base/errors.ts';
import { stopwatch } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { behindReaders } from '../database/database.ts';
import { anyFiles } from '../files/any-file.ts';
import { type ImportProgress, type ImportReport, importFeed } from '../tape/ingest.ts';
import { knownOnTape } from '../tape/known-bars.ts';
import type { FileImportData, FromImporter } from '../workers/file-importer.ts';
import { lowerPriority } from '../workers/thread.ts';

/** The thread of an import (`workers/file-importer.ts`): a store of its own, opened and closed with it. */

/** Progress is told so often at the most. */
const TOLD_EVERY_MS = 100;

const port = parentPort!;
const { config, paths, stated, now } = workerData as FileImportData;
const stopping = new AbortController();
let toldAt = Number.NEGATIVE_INFINITY;

const send = (message: FromImporter): void => port.postMessage(message);

function tell(progress: ImportProgress): void {
  const at = stopwatch();
  if (at - toldAt < TOLD_EVERY_MS && progress.weightDone < progress.weightTotal) return;
  toldAt = at;
  send({ kind: 'progress', progress });
}

async function importAll(): Promise<ImportReport[]> {
  const store = await openStore(config as Config);
  // Not before: on a busy machine an import would not even begin.
  lowerPriority('behind_derivations');
  try {
    const { calendar, tape } = store.context;
    const { feeds } = await anyFiles(paths, { ...stated, calendar, now, known: knownOnTape(tape) });
    const reports: ImportReport[] = [];
    for (const feed of feeds) reports.push(await importFeed({ tape }, feed, tell, stopping.signal));
    return reports;
  } finally {
    await store.close();
  }
}

port.once('message', () => stopping.abort());
try {
  send({ kind: 'imported', reports: await behindReaders(importAll) });
} catch (error) {
  const sentence = diskRefusal(error)?.message ?? (error instanceof Error ? error.message : String(error));
  send({ kind: 'failed', sentence });
}
