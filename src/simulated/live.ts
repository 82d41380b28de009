import type { Calendar, Session } from '../base/calendar.ts';
import type { Clock } from '../base/clock.ts';
import { nextTurn } from '../base/timers.ts';
import { SessionRecording } from '../live/replay-recording.ts';
import type { LiveSource } from '../live/source.ts';
import type { LiveFeed } from '../market/feed.ts';
import type { Tape } from '../tape/index.ts';
import { type SimulatedFeedOptions, simulatedFeed } from './feed.ts';

/** A simulated market that a tape holds, as far as its units tell. */
export interface TapedMarket {
  readonly seed: number;
  /** Companies; the index fund and the volatility index come beside them. */
  readonly symbols: number;
  /** Its last trade date. */
  readonly end: string;
  readonly minuteSessions: number;
  readonly tickSessions: number;
}

/** The index fund and the volatility index. */
const SYMBOLS_BESIDE = 2;
/** Newest of the missed sessions that get minute bars. */
const MISSED_MINUTE_SESSIONS_MAX = 5;

/**
 * The simulated markets whose units a tape has kept, by seed.
 *
 * @param units fingerprints by unit key, as `Tape.delivered` has them
 */
function marketsOnTape(units: ReadonlyMap<string, { readonly fingerprint: string }>): readonly TapedMarket[] {
  const bySeed = Map.groupBy(
    Array.from(units.values(), ({ fingerprint }) => readFingerprint(fingerprint)).filter(
      (market) => market !== null,
    ),
    ({ seed }) => seed,
  );
  return Array.from(bySeed.values(), (own) => {
    const newest = own.reduce((latest, one) => (one.end > latest.end ? one : latest));
    return { ...newest, symbols: Math.max(0, own.length - SYMBOLS_BESIDE) };
  });
}

function readFingerprint(text: string): Omit<TapedMarket, 'symbols'> | null {
  try {
    const { seed, end, minuteSessions, tickSessions } = JSON.parse(text);
    const isWhole = Number.isInteger(seed) && Number.isInteger(minuteSessions) && typeof end === 'string';
    return isWhole ? { seed, end, minuteSessions, tickSessions: Number(tickSessions) || 0 } : null;
  } catch {
    return null;
  }
}

/** The sessions that a market has missed since its last trade date, as the feed that delivers them. */
function missedSessions(market: TapedMarket, end: string, calendar: Calendar): SimulatedFeedOptions {
  const days = calendar.sessionCount(market.end, end) - 1;
  const minuteSessions = market.minuteSessions === 0 ? 0 : Math.min(days, MISSED_MINUTE_SESSIONS_MAX);
  const { seed, symbols } = market;
  const tickSessions = Math.min(market.tickSessions, minuteSessions);
  return { seed, symbols, days, end, minuteSessions, tickSessions, calendar };
}

/**
 * A session of a simulated market as it happens: the very rows and facts that `simulatedFeed` delivers for that date, each in
 * its minute. A consumer that starts late receives the past minutes at once.
 */
export function simulatedLiveFeed(
  { seed, symbols, tickSessions }: Pick<TapedMarket, 'seed' | 'symbols' | 'tickSessions'>,
  session: Session,
  calendar: Calendar,
  clock: Clock,
): LiveFeed {
  const { tradeDate } = session;
  const feed = simulatedFeed({
    seed,
    symbols,
    end: tradeDate,
    days: 1,
    minuteSessions: 1,
    quoteSessions: 1,
    tickSessions: Math.min(tickSessions, 1),
    calendar,
  });
  return {
    name: feed.name,
    simulated: true,
    tradeDate,
    async *minutes(after, signal) {
      const prior = calendar.session(calendar.previousSession(tradeDate)!)!;
      const recording = new SessionRecording(session, prior.postClose);
      for (const unit of await feed.units()) {
        for await (const delivery of unit.read()) recording.add(delivery);
        // A company takes some milliseconds; who is served meanwhile must not wait for all of them.
        await nextTurn();
        if (signal.aborted) return;
      }
      yield* recording.liveFeed(feed, clock.now()).minutes(after, signal);
    },
  };
}

/** A market that stopped longer ago stays as it is: it was simulated for one period. */
const MISSED_SESSIONS_MAX = 260;
/** Another process may bring a market at any time. */
const MARKET_POLL_MS = 60_000;

/** The newest simulated market of the tape, if any, kept up with the clock: missed sessions first, then the running one. */
export const simulatedMarket = (): LiveSource => ({
  title: 'the simulated market',
  async *steps({ tape, calendar, clock }) {
    let market = await newestMarket(tape);
    for (;;) {
      if (market === null) {
        yield { kind: 'rest', ms: MARKET_POLL_MS };
        market = await newestMarket(tape);
        continue;
      }
      const now = clock.now();
      const session = calendar.sessionHolding(now);
      const today = calendar.tradeDateOf(now);
      const isOver = session === null && (calendar.session(today)?.postClose ?? Infinity) <= now;
      const through = isOver ? today : calendar.previousSession(today)!;
      if (market.end < through) {
        const missed = missedSessions(market, through, calendar);
        if (missed.days > MISSED_SESSIONS_MAX) {
          const about = { end: market.end };
          yield { kind: 'note', about, says: 'the simulated market is left at its last session, long ago' };
          market = null;
          continue;
        }
        const about = { from: market.end, through, sessions: missed.days };
        yield { kind: 'import', feed: simulatedFeed(missed), about, says: 'making up for missed sessions' };
        market = { ...market, end: through };
      } else if (session === null) {
        const next = calendar.nextSession(through);
        if (next === null) return;
        yield { kind: 'wait', until: calendar.session(next)!.preOpen };
      } else if (yield { kind: 'stream', feed: simulatedLiveFeed(market, session, calendar, clock) }) {
        market = { ...market, end: session.tradeDate };
      }
    }
  },
});

async function newestMarket(tape: Tape): Promise<TapedMarket | null> {
  const markets = marketsOnTape(await tape.delivered('simulated'));
  return markets.toSorted((a, b) => (a.end < b.end ? -1 : 1)).at(-1) ?? null;
}
