import { CodedError } from '../../base/errors.ts';
import { at } from '../../base/fault-points.ts';
import type { Bucket, BucketObject } from './bucket.ts';
import type { readNewestSegment } from './named-files.ts';

/** The object that says whose prefix it is. */
const MARKER = 'tigraph-installation.json';
/** Time that a start waits for a bucket that does not answer. */
export const START_PATIENCE = { patienceMs: 5_000 };

type Newest = NonNullable<Awaited<ReturnType<typeof readNewestSegment>>>;

/**
 * The installation that the prefix of a tape belongs to; null for one that any may mark.
 *
 * @param readNewest of the manifest of the one that asks; null for a manifest without files
 * @throws CodedError tape_of_another_installation, tape_damaged, tape_unavailable
 */
export async function ownerOf(
  bucket: Bucket,
  readNewest: () => Promise<Newest | null>,
): Promise<string | null> {
  const owner = await readOwner(bucket);
  if (owner === null) await checkUnmarked(bucket, await readNewest());
  return owner;
}

/**
 * Marks the prefix as that of an installation.
 *
 * @returns the one that it belongs to then: another may have been faster
 * @throws CodedError tape_unavailable
 */
export async function markPrefix(bucket: Bucket, installation: string): Promise<string | null> {
  await bucket.put(MARKER, new TextEncoder().encode(JSON.stringify({ installation })), START_PATIENCE);
  at('prefix.marked');
  return readOwner(bucket);
}

async function readOwner(bucket: Bucket): Promise<string | null> {
  const text = await bucket.get(MARKER, START_PATIENCE);
  if (text === null) return null;
  try {
    return String(JSON.parse(new TextDecoder().decode(text)).installation);
  } catch {
    return 'of an unreadable marker';
  }
}

/** Whether the files under an unmarked prefix and the manifest may belong together. */
async function checkUnmarked(bucket: Bucket, newest: Newest | null): Promise<void> {
  if (newest !== null) {
    if ((await bucket.size(newest.file, START_PATIENCE)) === newest.bytes) return;
    throw new CodedError(
      'tape_damaged',
      `The prefix lacks the newest file of the tape, ${newest.file}: copy the files of the tape to it first`,
    );
  }
  for await (const objects of bucket.pages(START_PATIENCE)) {
    if (!objects.some(isSegment)) continue;
    throw new CodedError(
      'tape_of_another_installation',
      'The prefix holds segment files, and this database names none: name another prefix, or use the database that belongs to them',
    );
  }
}

export const isSegment = ({ name }: BucketObject): boolean => name.endsWith('.arrow');
