import { CodedError } from '../../base/errors.ts';

/** A prefix of a bucket, and the credentials for it. */
export interface BucketAddress {
  /** As the setting names it: `s3://bucket/prefix`. */
  readonly name: string;
  /** Of the bucket at its endpoint, without a slash at the end. */
  readonly url: string;
  /** Before each key: empty, or with a slash at its end. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken: string | undefined;
}

/** What says where the tape or a backup lies and who may read it, as the settings have it. */
export interface BucketSettings {
  /** `s3://bucket/prefix`. */
  readonly tape?: string;
  readonly awsAccessKeyId?: string;
  readonly awsSecretAccessKey?: string;
  readonly awsSessionToken?: string;
  readonly awsRegion?: string;
  readonly awsDefaultRegion?: string;
  readonly awsEndpointUrlS3?: string;
  readonly awsEndpointUrl?: string;
}

/** What `tape` may be. */
export const BUCKET_PATTERN = '^s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9_-][A-Za-z0-9._-]*)*/?$';

/** Stores of other makers accept any region. */
const ANY_REGION = 'us-east-1';

/**
 * The bucket that the settings name; null for a tape in a directory.
 *
 * @throws CodedError bad_setting
 */
export function bucketAddress(settings: BucketSettings): BucketAddress | null {
  if (settings.tape === undefined) return null;
  const { pathname, hostname: bucket } = new URL(settings.tape);
  const keys = pathname.replace(/^\/|\/$/g, '');
  const region = settings.awsRegion ?? settings.awsDefaultRegion;
  const endpoint = endpointOf(settings);
  if (settings.awsAccessKeyId === undefined) throw missing('AWS_ACCESS_KEY_ID', settings.tape);
  if (settings.awsSecretAccessKey === undefined) throw missing('AWS_SECRET_ACCESS_KEY', settings.tape);
  if (endpoint === null && region === undefined) throw missing('AWS_REGION', settings.tape);
  return {
    name: settings.tape,
    url: `${endpoint ?? `https://s3.${region}.amazonaws.com`}/${bucket}`,
    prefix: keys === '' ? '' : `${keys}/`,
    region: region ?? ANY_REGION,
    accessKeyId: settings.awsAccessKeyId,
    secretAccessKey: settings.awsSecretAccessKey,
    sessionToken: settings.awsSessionToken,
  };
}

/** The address of the store without a slash at its end; null for that of the region. */
function endpointOf({ awsEndpointUrlS3, awsEndpointUrl }: BucketSettings): string | null {
  const [setting, value] =
    awsEndpointUrlS3 === undefined
      ? (['AWS_ENDPOINT_URL', awsEndpointUrl] as const)
      : (['AWS_ENDPOINT_URL_S3', awsEndpointUrlS3] as const);
  if (value === undefined) return null;
  if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#@]*)?$/.test(value)) {
    const sentence = `${setting} must be an address such as https://minio.example:9000, without name or key in it.`;
    throw new CodedError('bad_setting', sentence, { facts: { setting } });
  }
  return value.replace(/\/+$/, '');
}

const missing = (setting: string, place: string): CodedError =>
  new CodedError('bad_setting', `${setting} is missing: ${place} needs it.`, { facts: { setting } });
