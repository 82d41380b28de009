import { resolve } from 'node:path';
import type { BackupPlace } from '../backup/backup-place.ts';
import { bucketPlace } from '../backup/bucket-place.ts';
import { directoryPlace } from '../backup/directory-place.ts';
import type { StoreOptions } from '../backup/file-store.ts';
import type { Config } from '../config.ts';
import { BUCKET_PATTERN, bucketAddress } from '../tape/segments/bucket-address.ts';
import { wrongCall } from './options.ts';

/**
 * The place of a backup: a directory, or a prefix of a bucket with the keys of the settings.
 *
 * @throws CodedError validation_failed, bad_setting
 */
export function placeOf(word: string, config: Config): BackupPlace {
  if (!/^(s3:|\w+:\/\/)/.test(word)) return directoryPlace(resolve(word));
  if (!new RegExp(BUCKET_PATTERN).test(word))
    throw wrongCall(`${word} is neither a directory nor an address such as s3://bucket/prefix.`);
  return bucketPlace(bucketAddress({ ...config, tape: word })!);
}

export const storeOf = (config: Config): StoreOptions => ({ ...config, tapeBucket: bucketAddress(config) });
