import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { addressFault, type Channel, NotDelivered } from './channel.ts';
import { post } from './post.ts';

export const webhook: Channel = {
  address: 'a webhook its URL',
  fault: ({ address }, notifying) => addressFault(address!, ['https:', 'http:'], notifying),
  secret: () => `whsec_${randomBytes(24).toString('base64')}`,
  async send(target, { id, type, timestamp, data }, sending) {
    // What a receiver may be was perhaps another setting when it was made.
    const fault = webhook.fault(target, sending.notifying);
    if (fault !== null) throw new NotDelivered(fault, 'disabled');
    const body = JSON.stringify({ type, timestamp, data });
    const now = new Date(sending.timers.now());
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
      'webhook-signature': new Webhook(target.secret!).sign(id, now, body),
    };
    await post(target.address!, headers, body, sending, { 410: 'disabled' });
  },
};
