import { randomBytes } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Timers } from '../base/timers.ts';
import { isPrivateAddress, PrivateAddress, publicLookup } from './private-address.ts';

/** What the operator allows, and by which servers messages go. */
export interface Notifying {
  /** Whether webhooks may go to private addresses. */
  readonly allowsPrivate: boolean;
  /** Address of the mail server with its credentials; undefined for no e-mail. */
  readonly smtpUrl: string | undefined;
  readonly smtpFrom: string | undefined;
  /** By which callers know the service; undefined for no links. */
  readonly publicUrl: string | undefined;
}

export interface Message {
  /** The same for each attempt. */
  readonly id: string;
  readonly type: 'alert.fired' | 'alert.test';
  /** When it happened, RFC 3339. */
  readonly timestamp: string;
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Why a message did not arrive; `isFinal` where it never will. */
export class NotDelivered extends Error {
  readonly isFinal: boolean;

  constructor(says: string, isFinal = false) {
    super(says);
    this.isFinal = isFinal;
  }
}

export type Target = Readonly<Record<string, string>>;

/** A way by which somebody is told. */
interface Channel {
  /** What keeps an address from being a receiver, in a sentence; null where nothing does. */
  fault(target: Target, notifying: Notifying): string | null;
  /** Keys that go with an address. */
  keys(): Target;
  /** @throws NotDelivered */
  send(target: Target, message: Message, notifying: Notifying, timers: Timers): Promise<void>;
}

const ANSWER_WITHIN_MS = 10_000;
const PRIVATE_SAYS =
  'is a private address, and none is sent to: use a public one, or have the operator set TIGRAPH_ALERTS_PRIVATE=true';

function webhookUrl(target: Target): URL | null {
  const url = URL.parse(target.address ?? '');
  const isWeb = url?.protocol === 'https:' || url?.protocol === 'http:';
  return url !== null && isWeb && url.username === '' ? url : null;
}

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

const isPrivateHost = (host: string): boolean =>
  isIP(host) > 0 ? isPrivateAddress(host) : /(?:^|\.)localhost\.?$/i.test(host);

const webhook: Channel = {
  fault(target, { allowsPrivate }) {
    const url = webhookUrl(target);
    if (url === null) return 'A webhook needs an address such as https://example.com/alerts';
    return !allowsPrivate && isPrivateHost(hostOf(url)) ? `${hostOf(url)} ${PRIVATE_SAYS}` : null;
  },
  keys: () => ({ secret: `whsec_${randomBytes(24).toString('base64')}` }),
  async send(target, { id, type, timestamp, data }, notifying, timers) {
    // What a receiver may be was perhaps another setting when it was made.
    const fault = webhook.fault(target, notifying);
    if (fault !== null) throw new NotDelivered(fault, true);
    const body = JSON.stringify({ type, timestamp, data });
    const now = new Date(timers.now());
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'user-agent': 'tigraph',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
      'webhook-signature': new Webhook(target.secret!).sign(id, now, body),
    };
    const status = await post(webhookUrl(target)!, headers, body, notifying, timers);
    if (status === 410) throw new NotDelivered('it answered 410: it wants no more', true);
    // A redirect is no answer: where it leads was not checked.
    if (status < 200 || status > 299) throw new NotDelivered(`it answered ${status}`);
  },
};

/** Posts once, without following; returns the status. */
function post(
  url: URL,
  headers: Record<string, string | number>,
  body: string,
  { allowsPrivate }: Notifying,
  timers: Timers,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const lookup = allowsPrivate ? {} : { lookup: publicLookup };
  const sent = send(url, { method: 'POST', headers, agent: false, ...lookup }, (answer) => {
    answer.resume();
    resolve(answer.statusCode ?? 0);
    answer.on('error', () => {});
    sent.destroy();
  });
  sent.on('error', (error) =>
    reject(
      error instanceof PrivateAddress
        ? new NotDelivered(`${error.message}: ${PRIVATE_SAYS}`, true)
        : new NotDelivered(`it was not reached: ${error.message}`),
    ),
  );
  const callOff = timers.after(ANSWER_WITHIN_MS, () => {
    reject(new NotDelivered(`it did not answer within ${ANSWER_WITHIN_MS / 1000} s`));
    sent.destroy();
  });
  sent.end(body);
  return promise.finally(callOff);
}

const NO_MAIL = 'The operator has set no mail server (TIGRAPH_SMTP_URL and TIGRAPH_SMTP_FROM); use a webhook';

const email: Channel = {
  fault({ address = '' }, { smtpUrl, smtpFrom }) {
    if (smtpUrl === undefined || smtpFrom === undefined) return NO_MAIL;
    return /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;]+$/.test(address)
      ? null
      : 'An e-mail needs an address such as me@example.com';
  },
  keys: () => ({}),
  async send({ address }, { id, subject, data, timestamp }, notifying) {
    const { smtpUrl, smtpFrom } = notifying;
    if (smtpUrl === undefined || smtpFrom === undefined) throw new NotDelivered(NO_MAIL, true);
    const { createTransport } = await import('nodemailer');
    const server = createTransport(smtpUrl, {
      connectionTimeout: ANSWER_WITHIN_MS,
      greetingTimeout: ANSWER_WITHIN_MS,
      socketTimeout: ANSWER_WITHIN_MS,
    } as object);
    const lines = [data.says, data.sentence, data.link, `As of ${timestamp}.`].filter(Boolean);
    try {
      await server.sendMail({
        from: smtpFrom,
        to: address!,
        subject,
        text: lines.join('\n\n'),
        messageId: `<${id}@tigraph>`,
      });
    } catch (error) {
      throw new NotDelivered(`the mail server refused it: ${(error as Error).message}`);
    } finally {
      server.close();
    }
  },
};

/** Every way by which somebody is told, besides the list of firings. */
export const CHANNELS = { webhook, email } as const;
export type ChannelName = keyof typeof CHANNELS;
export const CHANNEL_NAMES = Object.keys(CHANNELS) as ChannelName[];
