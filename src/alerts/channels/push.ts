import type { Queryable } from '../../database/queryable.ts';
import { addressFault, type Channel, NotDelivered, type Notifying } from './channel.ts';
import { post } from './post.ts';

/** How long a push service keeps what a browser does not take, in seconds: an alert of yesterday is none. */
const KEPT_S = 12 * 3_600;
/** Bytes of text that fit into a message of any push service, with its address. */
const TEXT_MAX = 1_000;

interface PushKeys {
  readonly public_key: string;
  readonly private_key: string;
}

/** The pair of keys by which push services know this installation (RFC 8292), made by whoever asks first. */
export async function pushKeys(database: Queryable): Promise<PushKeys> {
  const [kept] = await database.query<PushKeys>(
    'select public_key, private_key from alert_push_key where is_only',
  );
  if (kept !== undefined) return kept;
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const [made] = await database.write<PushKeys>(
    `insert into alert_push_key (public_key, private_key) values ($1, $2)
     on conflict (is_only) do update set is_only = true returning public_key, private_key`,
    [publicKey, privateKey],
  );
  return made!;
}

/** Whom a push service writes to about this installation. */
const contactOf = ({ publicUrl, smtpFrom }: Notifying): string =>
  publicUrl?.startsWith('https:') ? publicUrl : `mailto:${smtpFrom ?? 'alerts@tigraph.invalid'}`;

const bytesOf = (key: string | undefined): number => Buffer.from(key ?? '', 'base64url').length;

/** A browser, by its subscription at a push service (RFC 8030): what goes there it alone can read (RFC 8291). */
export const push: Channel = {
  address: 'a browser the endpoint of its subscription',
  fault({ address, p256dh, auth }, notifying) {
    const protocols = notifying.allowsPrivate ? ['https:', 'http:'] : ['https:'];
    if (bytesOf(p256dh) !== 65 || bytesOf(auth) !== 16)
      return 'A browser needs the `keys` of its subscription, `p256dh` and `auth`';
    return addressFault(address!, protocols, notifying);
  },
  async send(target, { id, subject, path, data, timestamp }, sending) {
    const fault = push.fault(target, sending.notifying);
    if (fault !== null) throw new NotDelivered(fault, 'disabled');
    const { default: webPush } = await import('web-push');
    const { public_key: publicKey, private_key: privateKey } = await pushKeys(sending.database);
    const body = `${data.sentence ?? data.says}`.slice(0, TEXT_MAX);
    const { headers, body: sealed } = webPush.generateRequestDetails(
      { endpoint: target.address!, keys: { p256dh: target.p256dh!, auth: target.auth! } },
      JSON.stringify({ id, title: subject.slice(0, TEXT_MAX), body, path, at: timestamp }),
      {
        vapidDetails: { subject: contactOf(sending.notifying), publicKey, privateKey },
        TTL: KEPT_S,
        urgency: 'high',
      },
    );
    await post(target.address!, headers as Record<string, string>, sealed!, sending, {
      404: 'removed',
      410: 'removed',
    });
  },
};
