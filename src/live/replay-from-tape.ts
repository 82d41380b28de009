import { type Calendar, DAY_MS, dateOf, midnightUtc, type Session } from '../base/calendar.ts';
import { chunks } from '../base/chunks.ts';
import { CodedError } from '../base/errors.ts';
import { realTimers } from '../base/timers.ts';
import type { Delivery, Feed } from '../market/feed.ts';
import { rowsDelivery, type SeriesKind } from '../market/series.ts';
import { SegmentReader, type SymbolTape, slicesOfView, type Tape } from '../tape/index.ts';
import { DAILY_REACH_DAYS, VOLATILITY_REACH_DAYS } from '../tape/read-view.ts';
import { SessionRecording } from './replay-recording.ts';
import { knownFeed, type LiveGround, type LiveSource } from './source.ts';

/** A session of the tape and what was known before it began. */
export type TapedSession = Awaited<ReturnType<typeof sessionFromTape>>;

const SYMBOLS_AT_ONCE = 200;
const SESSION_SERIES = [
  'bars-1d',
  'bars-1m',
  'bars-5m',
  'quotes-1m',
  'flow-minutes',
  'volatility-1d',
] as const;

/** The newest trade date with intraday bars of any of the symbols; null when there is none. */
export async function newestIntradayDate(tape: Tape, symbols: readonly string[]): Promise<string | null> {
  let newest = Number.NEGATIVE_INFINITY;
  for await (const tapes of inStretches(tape, symbols)) {
    for (const { kind, lastDay } of tapes.flatMap(({ slices }) => slices)) {
      if (kind === 'bars-1m' || kind === 'bars-5m') newest = Math.max(newest, lastDay);
    }
  }
  return newest === Number.NEGATIVE_INFINITY ? null : dateOf(newest * DAY_MS);
}

/**
 * Reads a session from a tape, to be replayed on another. Memory holds the whole session: 50 bytes a bar.
 *
 * @param symbols those that take part
 */
export async function sessionFromTape(
  tape: Tape,
  calendar: Calendar,
  session: Session,
  symbols: readonly string[],
) {
  const reader = new SegmentReader(tape.location);
  const recording = new SessionRecording(session, session.preOpen - 1);
  const history = new Map<boolean, Map<string, Delivery[]>>();
  const span = { from: session.preOpen, to: session.postClose };
  const priorDate = calendar.previousSession(session.tradeDate) ?? session.tradeDate;
  const [day, priorDay] = [midnightUtc(session.tradeDate) / DAY_MS, midnightUtc(priorDate) / DAY_MS];
  for await (const tapes of inStretches(tape, symbols)) {
    for (const one of await tape.withFacts(tapes.map((bare) => ({ tape: bare, ...span })))) {
      await reader.fetchAhead(() => slicesOfView(one, day, priorDay, session.postClose));
      for (const delivery of deliveriesOf(reader, one, session)) recording.add(delivery);
      const simulated = [...one.slices, ...one.running].some((rows) => rows.simulated);
      history
        .getOrInsertComputed(simulated, () => new Map<string, Delivery[]>())
        .set(one.symbol, historyOf(reader, one, calendar, session));
    }
  }
  reader.close();
  return {
    session,
    recording,
    /**
     * What ends before the session: daily bars as far back as a view reaches, the intraday bars of the session before,
     * actions and facts. One feed of measured and one of simulated rows, without empty ones.
     */
    history: Array.from(history, ([simulated, units]) =>
      knownFeed(
        simulated ? 'replay-simulated' : 'replay',
        simulated,
        Array.from(units, ([symbol, deliveries]) => [
          symbol,
          `before ${session.tradeDate}`,
          async function* () {
            yield* deliveries;
          },
        ]),
      ),
    ),
  };
}

async function* inStretches(tape: Tape, symbols: readonly string[]): AsyncIterable<SymbolTape[]> {
  for (const some of chunks(symbols, SYMBOLS_AT_ONCE)) yield await tape.symbolTapes(some);
}

/** The session's own rows, facts and chains. */
function deliveriesOf(reader: SegmentReader, tape: SymbolTape, session: Session): Delivery[] {
  const { symbol } = tape;
  const day = midnightUtc(session.tradeDate) / DAY_MS;
  return [
    ...SESSION_SERIES.map((kind) => rowsDelivery(symbol, kind, reader.rows(tape, kind, day, day))),
    { kind: 'facts', symbol, facts: tape.facts },
    ...tape.chains.map((slice): Delivery => ({ kind: 'chain', chain: reader.chain(slice) })),
  ];
}

/** What was known of the symbol before the session: its splits are known by the date on which they count. */
function historyOf(
  reader: SegmentReader,
  tape: SymbolTape,
  calendar: Calendar,
  { tradeDate, preOpen }: Session,
): Delivery[] {
  const { symbol } = tape;
  const priorDate = calendar.previousSession(tradeDate);
  if (priorDate === null) return [];
  const prior = midnightUtc(priorDate) / DAY_MS;
  const rows = (kind: SeriesKind, fromDay: number): Delivery =>
    rowsDelivery(symbol, kind, reader.rows(tape, kind, fromDay, prior));
  const deliveries: Delivery[] = [
    rows('bars-1d', prior - DAILY_REACH_DAYS),
    rows('bars-1m', prior),
    rows('bars-5m', prior),
    rows('volatility-1d', prior - VOLATILITY_REACH_DAYS),
  ];
  for (const slice of tape.chains.filter(({ takenAt }) => takenAt <= preOpen)) {
    deliveries.push({ kind: 'chain', chain: reader.chain(slice) });
  }
  const actions = tape.actions.filter(({ exDate }) => exDate <= midnightUtc(tradeDate));
  if (actions.length > 0) deliveries.push({ kind: 'actions', symbol, actions });
  const facts = tape.facts.filter(({ knownAt }) => knownAt < preOpen);
  if (facts.length > 0) deliveries.push({ kind: 'facts', symbol, facts });
  return deliveries.filter((delivery) => !('columns' in delivery) || delivery.columns.time.length > 0);
}

/** Name and kind of the live feed that plays the session. */
export const liveNameOf = ({ history }: TapedSession): Pick<Feed, 'name' | 'simulated'> => ({
  name: 'replay',
  simulated: history.length > 0 && history.every((feed) => feed.simulated),
});

/** Real time that processes get to start before a recorded session begins. */
const START_MS = 120_000;

/** A recorded session as the clock reaches its minutes: first what was known before it comes onto the tape. */
export const recordedSession = (taped: TapedSession): LiveSource => ({
  title: 'the recorded session',

  /** @throws CodedError bad_setting when the clock is past a session that has not begun */
  async check(ground) {
    const { tradeDate, preOpen, postClose } = taped.session;
    if (ground.clock.now() < postClose || (await isBegun(ground, taped))) return;
    const [from, since] = [preOpen, realTimers.now() + START_MS].map((at) => new Date(at).toISOString());
    throw new CodedError(
      'bad_setting',
      `The replayed session of ${tradeDate} is over by the clock: start every process with TIGRAPH_NOW=${from}*60@${since}, or another speed.`,
      { facts: { setting: 'TIGRAPH_NOW' } },
    );
  },

  async *steps({ tape }) {
    const about = { tradeDate: taped.session.tradeDate };
    if (await isInFiles(tape, taped)) {
      // A process that was killed at the end of the session has left its rows, and no daily bars of them.
      await tape.finalizeEnded();
      await tape.completeDailyBars();
      yield { kind: 'note', about, says: 'the recorded session is on the tape already' };
      return;
    }
    for (const feed of taped.history) yield { kind: 'import', feed };
    yield { kind: 'stream', feed: taped.recording.liveFeed(liveNameOf(taped)) };
  },
});

async function isBegun({ tape }: Pick<LiveGround, 'tape'>, taped: TapedSession): Promise<boolean> {
  if (await isInFiles(tape, taped)) return true;
  const running = await tape.ofMarket(liveNameOf(taped).simulated).runningSession(taped.session);
  running.close();
  return running.newest !== null;
}

/** Whether the session has ended here, or was imported. */
async function isInFiles(tape: Tape, { session }: TapedSession): Promise<boolean> {
  const newest = await newestIntradayDate(tape, await tape.symbols());
  return newest !== null && newest >= session.tradeDate;
}
