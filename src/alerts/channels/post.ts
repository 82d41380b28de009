import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { ANSWER_WITHIN_MS, NotDelivered, PRIVATE_SAYS, type Sending } from './channel.ts';
import { PrivateAddress, publicLookup } from './private-address.ts';

/**
 * Posts once, without following: where a redirect leads was not checked.
 *
 * @param gone what an answer means that wants no more, by its status
 * @throws NotDelivered unless the answer is one of success
 */
export async function post(
  address: string,
  headers: Readonly<Record<string, string | number>>,
  body: string | Buffer,
  { notifying: { allowsPrivate }, timers }: Sending,
  gone: Readonly<Record<number, NotDelivered['end']>>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const url = new URL(address);
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const options = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body), 'user-agent': 'tigraph' },
    agent: false,
    ...(allowsPrivate ? {} : { lookup: publicLookup }),
  };
  const sent = send(url, options, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
    answer.on('error', () => {});
    sent.destroy();
  });
  sent.on('error', (error) =>
    reject(
      error instanceof PrivateAddress
        ? new NotDelivered(`${error.message}: ${PRIVATE_SAYS}`, 'disabled')
        : new NotDelivered(`it was not reached: ${error.message}`),
    ),
  );
  const callOff = timers.after(ANSWER_WITHIN_MS, () => {
    reject(new NotDelivered(`it did not answer within ${ANSWER_WITHIN_MS / 1000} s`));
    sent.destroy();
  });
  sent.end(body);
  const status = await promise.finally(callOff);
  if (status in gone) throw new NotDelivered(`it answered ${status}: it wants no more`, gone[status]);
  if (status < 200 || status > 299) throw new NotDelivered(`it answered ${status}`);
}
