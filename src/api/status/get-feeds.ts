import type { Session } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { instantOrNull } from '../../base/wire.ts';
import { behindMs, type LiveStatus, skewSentence } from '../../market/feed.ts';
import { REFUSALS } from '../../market/refusals.ts';
import { type Viewer, visibleInstant } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import type { LiveFeeds } from './schema.ts';

type State = LiveFeeds['feeds'][number]['state'];

/** Bars come a moment after each minute; so much later none arrives. */
const LATE_MS = 2.5 * MINUTE_MS;

/** How the live feed of this process fares, as far as a viewer may know; of the market itself it says nothing newer. */
export function getFeeds(
  { calendar, clock, live }: Pick<AppContext, 'calendar' | 'clock' | 'live'>,
  viewer: Viewer,
): LiveFeeds {
  const now = clock.now();
  const { source, running, isConnected, tradeDate, filling, refused, holes } = live;
  const at = new Date(now).toISOString();
  if (source === null) return { at, feeds: [] };
  const standing = source.standing?.();
  const visible = visibleInstant(viewer, now);
  const behind = behindMs(live, now);
  const state = stateOf(live, calendar.session(running?.tradeDate ?? ''), behind, standing?.lagMs ?? 0, now);
  const isSeen = (instant: number): boolean => instant <= visible;
  return {
    at,
    feeds: [
      {
        feed: standing?.feed ?? running?.feed ?? source.title,
        title: source.title,
        partial: standing?.isPart ?? false,
        state,
        says:
          skewSentence(source.title, standing?.clockAheadMs ?? 0) ??
          (filling === null ? live.says : `${filling.says}, ${filling.percent} %`),
        connected: isConnected,
        trade_date: tradeDate,
        last_row_at: instantOrNull(live.lastRowAt === null ? null : Math.min(live.lastRowAt, visible)),
        behind_seconds: behind === null ? null : Math.round(Math.max(behind, viewer.delayMs) / 1_000),
        holes: holes
          .filter(({ from }) => isSeen(from))
          .map(({ from, to, isFilled }) => {
            return {
              from: new Date(from).toISOString(),
              to: new Date(Math.min(to, visible)).toISOString(),
              filled: isFilled,
            };
          }),
        refused: Array.from(refused.values(), ({ reason, count, example, at: first }) => ({
          reason,
          meaning: REFUSALS[reason],
          rows: count,
          first: viewer.symbols === null && isSeen(first) ? example : null,
        })),
        delay_seconds: secondsOrNull(standing === undefined ? 0 : standing.lagMs),
        calls_per_minute: standing?.callsPerMinute ?? null,
        calls_left: standing?.callsLeft ?? null,
      },
    ],
  };
}

const secondsOrNull = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

function stateOf(
  { running, isConnected, filling }: LiveStatus,
  session: Session | null,
  behind: number | null,
  lagMs: number,
  now: number,
): State {
  if (filling !== null) return 'filling';
  if (running === null || session === null) return 'waiting';
  if (isConnected === false) return 'disconnected';
  if (behind !== null && behind <= lagMs + LATE_MS) return 'live';
  const isRegular = now > session.open + lagMs + LATE_MS && now <= session.close + lagMs;
  return isRegular ? 'late' : 'quiet';
}
