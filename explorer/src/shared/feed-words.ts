import type { LiveFeed } from './api/queries.ts';

/** What a trader calls a feed. */
const NAMES: Readonly<Record<string, string>> = {
  'alpaca-iex': 'IEX',
  'alpaca-sip': 'SIP',
  'alpaca-delayed_sip': 'SIP, delayed',
  'massive-realtime': 'Massive',
  'massive-delayed': 'Massive, delayed',
};

export const feedName = (feed: string): string => NAMES[feed] ?? feed;

/** `52 s`, `4 h 10 min`, `3 d`. */
export function spanOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) {
    const minutes = Math.floor((seconds % 3600) / 60);
    return `${Math.floor(seconds / 3600)} h${minutes === 0 ? '' : ` ${minutes} min`}`;
  }
  return `${Math.round(seconds / 86_400)} d`;
}

export const FEED_STATES: Readonly<Record<LiveFeed['state'], string>> = {
  live: 'rows arrive',
  quiet: 'connected, nothing trades',
  late: 'no rows arrive',
  disconnected: 'disconnected',
  filling: 'brings the past first',
  waiting: 'waits for a session',
  silent: 'not heard of',
};

/**
 * How old the feed is, beside a price; null where the page says it otherwise.
 *
 * @param sinceS seconds since the answer
 */
export function feedAge(
  { feed, state, behind_seconds, says }: Pick<LiveFeed, 'feed' | 'state' | 'behind_seconds' | 'says'>,
  sinceS: number,
): { readonly words: string; readonly isOld: boolean } | null {
  const name = feedName(feed);
  if (state === 'waiting') return null;
  if (state === 'filling') return { words: `${name}: ${says ?? FEED_STATES.filling}`, isOld: false };
  const behind = behind_seconds === null ? 'no row yet' : `${spanOf(behind_seconds + sinceS)} behind`;
  if (state === 'disconnected' || state === 'silent')
    return { words: `${name} ${FEED_STATES[state]}, ${behind}`, isOld: true };
  return { words: `${name}, ${behind}`, isOld: state === 'late' };
}
