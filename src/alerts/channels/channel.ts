import { isIP } from 'node:net';
import type { Timers } from '../../base/timers.ts';
import type { Database } from '../../database/database.ts';
import { isPrivateAddress } from './private-address.ts';

/** What the operator allows, and by which servers messages go. */
export interface Notifying {
  /** Whether messages may go to private addresses. */
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
  /** Page of the Explorer that shows it. */
  readonly path: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Why a message did not arrive, and what that means: it is tried again, never sent, or nothing is sent there any more. */
export class NotDelivered extends Error {
  readonly end: 'retried' | 'failed' | 'disabled' | 'removed';

  constructor(says: string, end: NotDelivered['end'] = 'retried') {
    super(says);
    this.end = end;
  }
}

/** An address with what goes with it. */
export type Target = Readonly<Record<string, string>>;

/** What a message is sent with. */
export interface Sending {
  readonly database: Database;
  readonly notifying: Notifying;
  readonly timers: Timers;
}

/** A way by which somebody is told; the list of them is in `index.ts`. */
export interface Channel {
  /** What an address of it is, after "Of". */
  readonly address: string;
  /** What keeps a target from being a receiver, in a sentence; null where nothing does. */
  fault(target: Target, notifying: Notifying): string | null;
  /** Made with a receiver, and shown once. */
  secret?(): string;
  /** @throws NotDelivered */
  send(target: Target, message: Message, sending: Sending): Promise<void>;
}

export const ANSWER_WITHIN_MS = 10_000;
export const PRIVATE_SAYS =
  'is a private address, and none is sent to: use a public one, or have the operator set TIGRAPH_ALERTS_PRIVATE=true';

const isPrivateHost = (host: string): boolean =>
  isIP(host) > 0 ? isPrivateAddress(host) : /(?:^|\.)localhost\.?$/i.test(host);

/** What keeps a web address from being sent to; null where nothing does. */
export function addressFault(
  address: string,
  protocols: readonly string[],
  { allowsPrivate }: Notifying,
): string | null {
  const url = URL.parse(address);
  if (url === null || !protocols.includes(url.protocol) || url.username !== '')
    return 'It needs an address such as https://example.com/alerts';
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return !allowsPrivate && isPrivateHost(host) ? `${host} ${PRIVATE_SAYS}` : null;
}
