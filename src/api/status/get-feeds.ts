import type { Calendar, Session } from '../../base/calendar.ts';
import { MINUTE_MS } from '../../base/dates.ts';
import { instantOrNull } from '../../base/wire.ts';
import { behindMs, skewSentence } from '../../market/feed.ts';
import { heardSaid, type Said, SILENT_MS, saidOf } from '../../market/live-announcements.ts';
import { REFUSALS } from '../../market/refusals.ts';
import { type Viewer, visibleInstant } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import type { LiveFeeds } from './schema.ts';

type Feed = LiveFeeds['feeds'][number];

/** Bars come a moment after each minute; so much later none arrives. */
const LATE_MS = 2.5 * MINUTE_MS;

/**
 * How the live feed fares that this process follows, or another, as far as a viewer may know; of the market itself it says
 * nothing newer.
 */
export async function getFeeds(
  context: Pick<AppContext, 'calendar' | 'clock' | 'live' | 'database'>,
  viewer: Viewer,
): Promise<LiveFeeds> {
  const own = saidOf(context.live);
  const heard = own === null ? await heardSaid(context.database) : { said: own, ageMs: 0 };
  const now = context.clock.now();
  const feeds = heard === null ? [] : [feedOf(heard.said, heard.ageMs, context.calendar, viewer, now)];
  return { at: new Date(now).toISOString(), feeds };
}

function feedOf(said: Said, ageMs: number, calendar: Calendar, viewer: Viewer, now: number): Feed {
  const { title, standing, running, tradeDate, refused, holes } = said;
  const visible = visibleInstant(viewer, now);
  const behind = behindMs(said, standing?.clockAheadMs ?? 0, now);
  const session = calendar.session(running?.tradeDate ?? '');
  const isSilent = ageMs > SILENT_MS;
  const ageS = Math.round(ageMs / 1_000);
  const isSeen = (instant: number): boolean => instant <= visible;
  return {
    feed: standing?.feed ?? running?.feed ?? title,
    title,
    partial: standing?.isPart ?? false,
    state: isSilent ? 'silent' : stateOf(said, session, behind, standing?.lagMs ?? 0, now),
    says: isSilent ? `The process that follows it has said nothing for ${ageS} s.` : sentenceOf(said),
    said_seconds: ageS,
    connected: isSilent ? null : said.isConnected,
    trade_date: tradeDate,
    last_row_at: instantOrNull(said.lastRowAt === null ? null : Math.min(said.lastRowAt, visible)),
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
    refused: refused.map(({ reason, count, example, at: first }) => ({
      reason,
      meaning: REFUSALS[reason],
      rows: count,
      first: viewer.symbols === null && isSeen(first) ? example : null,
    })),
    delay_seconds: secondsOrNull(standing === undefined ? 0 : standing.lagMs),
    calls_per_minute: standing?.callsPerMinute ?? null,
    calls_left: standing?.callsLeft ?? null,
  };
}

const sentenceOf = ({ title, standing, filling, says }: Said): string | null =>
  skewSentence(title, standing?.clockAheadMs ?? 0) ??
  (filling === null ? says : `${filling.says}, ${filling.percent} %`);

const secondsOrNull = (ms: number | null): number | null => (ms === null ? null : ms / 1_000);

function stateOf(
  { running, isConnected, filling }: Said,
  session: Session | null,
  behind: number | null,
  lagMs: number,
  now: number,
): Feed['state'] {
  if (filling !== null) return 'filling';
  if (running === null || session === null) return 'waiting';
  if (isConnected === false) return 'disconnected';
  if (behind !== null && behind <= lagMs + LATE_MS) return 'live';
  const isRegular = now > session.open + lagMs + LATE_MS && now <= session.close + lagMs;
  return isRegular ? 'late' : 'quiet';
}
