import type { Channel } from './channel.ts';
import { email } from './email.ts';
import { push } from './push.ts';
import { webhook } from './webhook.ts';

/** Every way by which somebody is told, besides the list of firings. */
export const CHANNELS = { webhook, email, push } as const satisfies Record<string, Channel>;
export type ChannelName = keyof typeof CHANNELS;
export const CHANNEL_NAMES = Object.keys(CHANNELS) as ChannelName[];
