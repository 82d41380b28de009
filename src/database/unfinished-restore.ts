import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CodedError } from '../base/errors.ts';

/** In a data directory while a restore fills it, locked by its process: without a lock the restore was interrupted. */
export const restoringFile = (dataDirectory: string): string => join(dataDirectory, 'restoring');

/** @throws CodedError restore_unfinished */
export function refuseHalfRestored(dataDirectory: string): void {
  if (!existsSync(restoringFile(dataDirectory))) return;
  throw new CodedError(
    'restore_unfinished',
    `A restore into ${dataDirectory} has not finished: wait for it, or run npm run tigraph -- restore again.`,
  );
}
