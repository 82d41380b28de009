import { randomBytes } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import { onTestFinished } from 'vitest';
import { type BucketAddress, bucketAddress } from '../../src/tape/segments/bucket-address.ts';
import type { TestSettings } from './app.ts';
import { type BucketProxy, startBucketProxy } from './bucket-proxy.ts';

/** The object store of the run; null without one, which `npm run test:postgres` starts. */
export const objectStore = process.env.TIGRAPH_TEST_S3 ?? null;

/** A bucket of the test's own behind a proxy. */
export interface TestBucket {
  readonly proxy: BucketProxy;
  readonly settings: TestSettings & { readonly AWS_SECRET_ACCESS_KEY: string };
  readonly address: BucketAddress;
  /** Another prefix of the bucket. */
  under(prefix: string): BucketAddress;
  /** Keys of the objects. */
  keys(): Promise<string[]>;
  /** Keys of the uploads in parts that have not ended. */
  uploads(): Promise<string[]>;
  /** Begins an upload in parts, as a process that is killed then. */
  beginUpload(key: string): Promise<void>;
  put(key: string, bytes: Uint8Array): Promise<void>;
  text(key: string): Promise<string>;
  remove(key: string): Promise<void>;
}

export async function makeTestBucket(): Promise<TestBucket> {
  const name = `tape-${randomBytes(6).toString('hex')}`;
  const direct = `${objectStore}/${name}`;
  await fetch(direct, { method: 'PUT' });
  const proxy = await startBucketProxy(objectStore!);
  onTestFinished(() => proxy.close());
  const settings = {
    TIGRAPH_TAPE: `s3://${name}/desk/tape`,
    AWS_ACCESS_KEY_ID: 'key',
    AWS_SECRET_ACCESS_KEY: 'the-secret',
    AWS_ENDPOINT_URL_S3: proxy.url,
  };
  const address = bucketAddress({
    tape: settings.TIGRAPH_TAPE,
    awsAccessKeyId: settings.AWS_ACCESS_KEY_ID,
    awsSecretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
    awsEndpointUrlS3: settings.AWS_ENDPOINT_URL_S3,
  })!;
  // The store lets nobody else touch an object again.
  const client = new AwsClient({ accessKeyId: 'key', secretAccessKey: 'the-secret', service: 's3' });
  const keysOf = async (query: string): Promise<string[]> => {
    const text = await (await fetch(`${direct}?${query}`)).text();
    return Array.from(text.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key]) => key!).sort();
  };
  return {
    proxy,
    settings,
    address,
    under: (prefix) => ({ ...address, name: `s3://${name}/${prefix}`, prefix: `${prefix}/` }),
    keys: () => keysOf('list-type=2'),
    uploads: () => keysOf('uploads'),
    async beginUpload(key) {
      await client.fetch(`${direct}/${key}?uploads`, { method: 'POST' });
    },
    async put(key, bytes) {
      await client.fetch(`${direct}/${key}`, { method: 'PUT', body: bytes as Uint8Array<ArrayBuffer> });
    },
    text: async (key) => (await client.fetch(`${direct}/${key}`)).text(),
    async remove(key) {
      await client.fetch(`${direct}/${key}`, { method: 'DELETE' });
    },
  };
}
