import { randomBytes } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { type BucketAddress, bucketAddress } from '../../src/market/segments/bucket-address.ts';
import type { TestSettings } from './app.ts';
import { type BucketProxy, startBucketProxy } from './bucket-proxy.ts';

/** The object store of the run; null without one, which `npm run test:postgres` starts. */
export const objectStore = process.env.TIGRAPH_TEST_S3 ?? null;

/** A bucket of the test's own behind a proxy. */
export interface TestBucket {
  readonly proxy: BucketProxy;
  readonly settings: TestSettings & { readonly AWS_SECRET_ACCESS_KEY: string };
  readonly address: BucketAddress;
  /** Keys of the objects. */
  keys(): Promise<string[]>;
  put(key: string, bytes: Uint8Array): Promise<void>;
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
  return {
    proxy,
    settings,
    address: bucketAddress({
      tape: settings.TIGRAPH_TAPE,
      awsAccessKeyId: settings.AWS_ACCESS_KEY_ID,
      awsSecretAccessKey: settings.AWS_SECRET_ACCESS_KEY,
      awsEndpointUrlS3: settings.AWS_ENDPOINT_URL_S3,
    })!,
    async keys() {
      const text = await (await fetch(`${direct}?list-type=2`)).text();
      return Array.from(text.matchAll(/<Key>([^<]*)<\/Key>/g), ([, key]) => key!).sort();
    },
    async put(key, bytes) {
      await fetch(`${direct}/${key}`, { method: 'PUT', body: bytes as Uint8Array<ArrayBuffer> });
    },
  };
}
