import { createDecipheriv, createECDH, type ECDH, hkdfSync } from 'node:crypto';

/** A browser that has subscribed: what it gives away, and how it reads what comes (RFC 8291 over RFC 8188). */
export interface Subscriber {
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** @throws Error for what was not sealed for it */
  read(body: Buffer): string;
}

/** @param keys its private key and its secret, base64url; without them it makes its own */
export function subscriber(keys?: { readonly privateKey: string; readonly auth: string }): Subscriber {
  const own = createECDH('prime256v1');
  if (keys === undefined) own.generateKeys();
  else own.setPrivateKey(Buffer.from(keys.privateKey, 'base64url'));
  const auth = Buffer.from(keys?.auth ?? 'c2l4dGVlbi1ieXRlcy4uLg', 'base64url').subarray(0, 16);
  return {
    keys: { p256dh: own.getPublicKey('base64url'), auth: auth.toString('base64url') },
    read: (body) => opened(own, auth, body),
  };
}

const derived = (secret: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, bytes));

function opened(own: ECDH, auth: Buffer, body: Buffer): string {
  const salt = body.subarray(0, 16);
  const sender = body.subarray(21, 21 + body[20]!);
  const sealed = body.subarray(21 + body[20]!);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), own.getPublicKey(), sender]);
  const secret = derived(own.computeSecret(sender), auth, info, 32);
  const key = derived(secret, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16);
  const nonce = derived(secret, salt, Buffer.from('Content-Encoding: nonce\0'), 12);
  const decipher = createDecipheriv('aes-128-gcm', key, nonce);
  decipher.setAuthTag(sealed.subarray(-16));
  const padded = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}
