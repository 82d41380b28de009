import { once } from 'node:events';
import { createServer, request as requestTo } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

/** What the proxy does to the requests that it gets. */
interface BucketFaults {
  /** Answers so in place of the store. */
  readonly status?: number;
  /** Of so many requests; without it of all. */
  readonly times?: number;
  /** Only those of a method. */
  readonly method?: string;
  /** Passes the request on and cuts the connection before the answer, or in the middle of its body. */
  readonly cut?: 'answer' | 'body';
  /** Other bytes of the same length in the body of an answer. */
  readonly garble?: boolean;
  /** Time before each answer. */
  readonly delayMs?: number;
}

/** What the proxy got since it was asked last. */
interface BucketTraffic {
  /** Method and key of each request, in their order. */
  readonly requests: readonly string[];
  /** How often a request came while none was under way: round trips one after another. */
  readonly rounds: number;
}

/** A proxy before an object store, in a thread of its own: readers wait without their event loop. */
export interface BucketProxy {
  readonly url: string;
  set(faults: BucketFaults): Promise<void>;
  traffic(): Promise<BucketTraffic>;
  close(): Promise<void>;
}

export async function startBucketProxy(target: string): Promise<BucketProxy> {
  const thread = new Worker(new URL(import.meta.url), { workerData: { bucketProxyOf: target } });
  const answer = async <Answer>(message: BucketFaults | null): Promise<Answer> => {
    thread.postMessage(message);
    const [reply] = await once(thread, 'message');
    return reply as Answer;
  };
  const [port] = (await once(thread, 'message')) as [number];
  return {
    url: `http://127.0.0.1:${port}`,
    set: (faults) => answer(faults),
    traffic: () => answer(null),
    async close() {
      await thread.terminate();
    },
  };
}

if (!isMainThread && workerData?.bucketProxyOf !== undefined) {
  const target = new URL(workerData.bucketProxyOf);
  let faults: BucketFaults = {};
  let left = 0;
  let underWay = 0;
  let traffic = { requests: [] as string[], rounds: 0 };
  const server = createServer((incoming, outgoing) => {
    traffic.requests.push(`${incoming.method} ${incoming.url!.split('?')[0]}`);
    if (underWay++ === 0) traffic.rounds++;
    outgoing.once('close', () => underWay--);
    const isHit = left > 0 && (faults.method ?? incoming.method) === incoming.method;
    if (isHit) left--;
    const { status, cut, garble = false } = isHit ? faults : {};
    if (status !== undefined) {
      incoming.resume();
      outgoing.writeHead(status, { 'content-type': 'application/xml' });
      outgoing.end(`<Error><Code>Made${status}</Code></Error>`);
      return;
    }
    const { hostname, port } = target;
    const { method, url, headers } = incoming;
    const passed = requestTo({
      hostname,
      port,
      method,
      path: url,
      headers: { ...headers, host: target.host },
    });
    passed.on('response', async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part);
      const body = Buffer.concat(parts);
      if (garble) body.fill(0xff);
      setTimeout(() => {
        if (cut === 'answer') {
          outgoing.destroy();
          return;
        }
        outgoing.writeHead(answer.statusCode!, answer.headers);
        if (cut === 'body') outgoing.write(body.subarray(0, body.length / 2), () => outgoing.destroy());
        else outgoing.end(body);
      }, faults.delayMs ?? 0);
    });
    passed.on('error', () => outgoing.destroy());
    incoming.pipe(passed);
  });
  parentPort!.on('message', (message: BucketFaults | null) => {
    parentPort!.postMessage(message === null ? traffic : undefined);
    if (message === null) traffic = { requests: [], rounds: 0 };
    else {
      faults = message;
      left = message.times ?? Number.POSITIVE_INFINITY;
    }
  });
  server.listen(0, '127.0.0.1', () => parentPort!.postMessage((server.address() as AddressInfo).port));
}
