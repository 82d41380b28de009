import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Session } from '../base/calendar.ts';
import { ERROR_CODES } from '../base/errors.ts';
import { isoDate, storedSymbol } from '../base/parameters.ts';
import type { Scope } from '../base/scope.ts';
import { Type } from '../base/type.ts';
import type { Bus, Handle, Queue, WorkOf } from '../bus/bus.ts';
import type { DerivedScreen, FailedDay, ScreenOutcome } from '../derive/deriver.ts';
import { daysWithPeers, withPeers } from '../derive/with-peers.ts';
import { readPeerDays } from '../graph/peer-days.ts';
import { nextPlan, writeRunningDays } from '../graph/stock-days.ts';
import type { MarketView } from '../market/market-view.ts';
import type { SymbolTape, TakenMinutes, WithPart } from '../tape/index.ts';
import type { PassContext } from './detector.ts';

/** Symbols of a running session are divided among the workers in this many parts. */
const PARTS = 64;
const GROUP = 'workers';
const partOf = (symbol: string): number => crc32(symbol) % PARTS;
/** Interval at which workers see who else takes part. */
const SHARE_MS = 2_000;
/** Markets in memory: those of the newest minutes. */
const MARKETS_MAX = 4;

const Count = Type.Integer({ minimum: 0 });

/** A part of a minute as a worker gets it: a `PartMinute` with what it is derived from. */
const MinuteWork = Type.Object({
  /** Orders this work among all: see `writeRunningDays`. */
  plan: Count,
  tradeDate: isoDate,
  part: Type.Integer({ minimum: 0, maximum: PARTS - 1 }),
  at: Type.Number(),
  before: Type.Union([Type.Number(), Type.Null()]),
  symbols: Type.Array(storedSymbol),
  since: Type.Number(),
  changed: Type.Array(storedSymbol),
  /** The market that the session is of. */
  simulated: Type.Boolean(),
  /** Its instant, as stored. */
  marketAt: Type.Number(),
  /** Of the announcements. */
  origin: Type.String({ pattern: '^[!-~]+$' }),
});

/** The answer has the stock-days that failed. */
const minuteQueue = (part: number) =>
  ({
    name: `minute.${part}`,
    version: 2,
    work: MinuteWork,
    answer: Type.Array(
      Type.Object({
        kind: Type.Enum(['failed'] as const),
        symbol: storedSymbol,
        tradeDate: isoDate,
        code: Type.Enum(ERROR_CODES),
        message: Type.String(),
      }),
    ),
  }) satisfies Queue;
type MinuteWork = WorkOf<ReturnType<typeof minuteQueue>>;

/** What a minute of a session is derived from besides its tapes. */
export interface MinuteInputs {
  readonly session: Session;
  readonly taken: TakenMinutes;
  /** The newest minute before it. */
  readonly before: number | null;
  readonly market: MarketView;
  readonly simulated: boolean;
  readonly origin: string;
}

/** Derives the numbers of stock-days of a running session. */
export async function deriveRunning(
  { deriver, database, calendar }: PassContext,
  tapes: readonly SymbolTape[],
  {
    tradeDate,
    asOf,
    market,
  }: { readonly tradeDate: string; readonly asOf: number; readonly market: MarketView },
): Promise<ScreenOutcome[]> {
  const days = [{ tradeDate, asOf }];
  const jobs = tapes.map((tape) => ({ tape, days }));
  const peers = await readPeerDays(database, daysWithPeers(jobs, calendar));
  const markets = { [tradeDate]: market };
  return deriver.deriveScreens(withPeers(jobs, peers), { markets });
}

/**
 * Hands a minute to the workers, part by part, and waits until all of it is stored.
 *
 * @returns the stock-days that failed
 */
export async function deriveOnWorkers(
  context: PassContext,
  bus: Bus,
  { session, taken, before, market, simulated, origin }: MinuteInputs,
  signal: AbortSignal,
): Promise<FailedDay[]> {
  const plan = await nextPlan(context.database);
  const { tradeDate } = session;
  const changed = new Set(taken.changed);
  const answers = Array.from(Map.groupBy(taken.symbols, partOf), async ([part, symbols]) => {
    const work: MinuteWork = {
      plan,
      part,
      tradeDate,
      at: taken.asOf,
      before,
      symbols,
      since: taken.since,
      changed: symbols.filter((symbol) => changed.has(symbol)),
      simulated,
      marketAt: market.asOf,
      origin,
    };
    return bus.ask(minuteQueue(part), work, signal).catch((error) => {
      signal.throwIfAborted();
      const { message } = error as Error;
      return symbols.map(
        (symbol): FailedDay => ({ kind: 'failed', symbol, tradeDate, code: 'work_failed', message }),
      );
    });
  });
  return (await Promise.all(answers)).flat();
}

/** Derives this worker's share of the parts of whatever session runs; the share follows the workers that take part. */
export function takeMinuteWork(scope: Scope, context: PassContext, bus: Bus): void {
  const derive = minuteDeriver(context);
  const taking = new Map<number, Scope>();
  bus.join(scope, GROUP);

  async function share(): Promise<void> {
    const members = await bus.members(GROUP).catch(() => null);
    // The scope may have begun to close while the members were asked; it takes no new work then.
    if (members !== null && !scope.signal.aborted) await takeShare(new Set([...members, bus.self]));
  }

  async function takeShare(members: ReadonlySet<string>): Promise<void> {
    const given: Promise<void>[] = [];
    for (const [part, owner] of ownersOf(PARTS, members).entries()) {
      const isOwn = owner === bus.self;
      const own = taking.get(part);
      if (isOwn && own === undefined) {
        const taken = scope.child(`part ${part}`);
        taking.set(part, taken);
        bus.take(taken, minuteQueue(part), 1, derive);
      }
      if (isOwn || own === undefined) continue;
      taking.delete(part);
      given.push(own.close());
    }
    await Promise.all(given);
  }

  void scope.run('taking parts', share);
  scope.every(SHARE_MS, 'taking parts', share);
}

function minuteDeriver(context: PassContext): Handle<ReturnType<typeof minuteQueue>> {
  /** By plan. */
  const markets = new LRUCache<number, MarketView, MinuteWork>({
    max: MARKETS_MAX,
    ignoreFetchAbort: true,
    fetchMethod: async (_plan, _former, { context: { tradeDate, simulated, marketAt: at } }) => {
      const text = await context.tape.ofMarket(simulated).minuteMarket(tradeDate, at);
      if (text === null)
        throw new Error(`no market is stored for ${tradeDate} at ${new Date(at).toISOString()}`);
      return JSON.parse(text) as MarketView;
    },
  });
  let running: { readonly tradeDate: string; readonly withPart: WithPart } | null = null;

  const withPartOf = (tradeDate: string): WithPart => {
    if (running?.tradeDate !== tradeDate) {
      running = { tradeDate, withPart: context.tape.runningParts(context.calendar.session(tradeDate)!) };
    }
    return running.withPart;
  };

  return async (work, signal) => {
    const { tradeDate, at: asOf, origin, plan } = work;
    const market = await markets.forceFetch(plan, { context: work });
    return withPartOf(tradeDate)(work, async (tapes) => {
      const outcomes = await deriveRunning(context, tapes, { tradeDate, asOf, market });
      signal.throwIfAborted();
      await writeRunningDays(context.database, outcomes.filter(isDerived), origin, plan);
      return outcomes.filter((outcome) => outcome.kind === 'failed');
    });
  };
}

export const isDerived = (outcome: ScreenOutcome): outcome is DerivedScreen => outcome.kind === 'derived';

/**
 * Divides parts among members, equally many to each: the slowest worker decides how long a minute takes. A part goes to
 * the member with the highest weight that has room; when a member leaves, little besides its own parts moves.
 *
 * @param members at least one; in any order, all processes that know the same ones divide alike
 * @returns the owner of each part
 */
export function ownersOf(parts: number, members: ReadonlySet<string>): string[] {
  const few = Math.floor(parts / members.size);
  let more = parts - few * members.size;
  const counts = new Map(Array.from(members, (member) => [member, 0]));
  const hasRoom = (member: string): boolean => {
    const count = counts.get(member)!;
    return count < few || (count === few && more > 0);
  };
  return Array.from({ length: parts }, (_, part) => {
    // A checksum would not do: its highest value over the members falls on one of three for half of all parts.
    const weightOf = (member: string): string => hash('sha1', `${part} ${member}`);
    const [owner] = Array.from(members, (member) => ({ member, weight: weightOf(member) }))
      .sort((one, other) => (one.weight > other.weight ? -1 : 1))
      .filter(({ member }) => hasRoom(member));
    const count = counts.get(owner!.member)!;
    if (count === few) more--;
    counts.set(owner!.member, count + 1);
    return owner!.member;
  });
}
