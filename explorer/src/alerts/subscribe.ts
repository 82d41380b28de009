const WORKER = '/alerts-worker.js';
const ELSEWHERE = 'use a webhook or a mailbox';

/** The subscription of a browser, as a receiver of alerts. */
export interface Subscribed {
  readonly channel: 'push';
  readonly address: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/**
 * Subscribes this browser to notifications; it asks its reader, so call it on a click alone.
 *
 * @param publicKey of the service
 * @throws Error with a sentence for its reader where the browser or its reader refuses
 */
export async function subscribe(publicKey: string): Promise<Subscribed> {
  if (!isSecureContext)
    throw new Error(`A browser takes notifications only of https or of this machine: ${ELSEWHERE}.`);
  if (!('PushManager' in window)) throw new Error(`This browser takes no notifications: ${ELSEWHERE}.`);
  if ((await Notification.requestPermission()) !== 'granted')
    throw new Error(
      'Notifications of this page are blocked: allow them in the settings beside the address, then add this browser again.',
    );
  await navigator.serviceWorker.register(WORKER);
  const { pushManager } = await navigator.serviceWorker.ready;
  // One of another installation at this address has another key.
  await (await pushManager.getSubscription())?.unsubscribe();
  try {
    const subscription = await pushManager.subscribe({
      userVisibleOnly: true,
      applicationServerKey: publicKey,
    });
    const { endpoint, keys } = subscription.toJSON();
    return { channel: 'push', address: endpoint!, keys: { p256dh: keys!.p256dh!, auth: keys!.auth! } };
  } catch {
    throw new Error(`The push service of this browser was not reached: try again, or ${ELSEWHERE}.`);
  }
}
