import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '@nats-io/transport-node';
import { openApi } from '../../src/app.ts';
import { newYorkCalendar } from '../../src/base/calendar.ts';
import { steppingClock } from '../../src/base/clock.ts';
import { loadConfig } from '../../src/config.ts';
import { type ProcessedMinutes, runLiveSession } from '../../src/pipeline/live-session.ts';
import { simulatedLiveFeed } from '../../src/simulated/live.ts';
import { type Environment, Member } from '../../test/desk/desk.ts';
import { LAST_DATE, SEED } from './market.ts';

const NOON_MS = 12 * 3_600_000;
const MINUTE_MS = 60_000;
/** Code is compiled and columns are read in the first minutes. */
const WARM_UP_MINUTES = 8;
/** Interval at which a worker with a share of a core is looked at, and what it may use after a rest. */
const THROTTLE_MS = 5;
const CREDIT_MAX_MS = 20;

export interface Carried {
  readonly symbols: number;
  readonly minutes: number;
  /** Processes of one thread each. */
  readonly workers: number;
  /** Of a core, that each worker may use; as much as it can unless set. */
  readonly share?: number;
}

/** One minute, from its delivery to the last announcement. */
interface LiveMinute extends ProcessedMinutes {
  /** From the first part on the bus to the last answer. */
  readonly partsMs: number;
}

/** Minutes of a session after noon, carried by this process and derived by workers. */
export interface LiveMinutes {
  readonly steps: readonly LiveMinute[];
  /** The first step, with the minutes since the pre-market that are processed together. */
  readonly first: LiveMinute;
  /** Processor time of the workers over the steps after the warm-up. */
  readonly workersMs: number;
  /** Of this process, which has the live feed. */
  readonly liveMs: number;
}

/**
 * Carries the session after the market's last date from noon on, as fast as it goes, with workers as processes beside
 * this one.
 *
 * @param settings name database, bus and tape
 * @param onBegin called after the warm-up
 */
export async function carryMinutes(
  settings: Environment,
  { symbols, workers, minutes, share = 1 }: Carried,
  onBegin: () => Promise<void> = async () => {},
): Promise<LiveMinutes> {
  const calendar = newYorkCalendar();
  const session = calendar.session(calendar.nextSession(LAST_DATE)!)!;
  const noon = session.midnight + NOON_MS;
  const now = new Date(noon + (WARM_UP_MINUTES + minutes) * MINUTE_MS).toISOString();
  const members = await Promise.all(
    Array.from({ length: workers }, (_, at) =>
      Member.of(`worker-${at}`, 'worker', { ...settings, TIGRAPH_NOW: now }),
    ),
  );
  for (const member of members) member.start();
  await Promise.all(members.map((member) => member.untilReady()));
  const app = await openApi(loadConfig({ ...settings, LOG_LEVEL: 'silent' }), {
    clock: steppingClock(noon),
  });
  const parts = await watchParts(settings.NATS_URL!);
  const workersMs = (): number => members.reduce((sum, member) => sum + member.processorMs(), 0);
  const all: LiveMinute[] = [];
  let began = { workersMs: 0, live: process.cpuUsage() };
  const stop = new AbortController();
  const throttled = members.map((member) => throttle(member, share, stop.signal));
  try {
    await app.context.tape.clearDirtyRanges(await app.context.tape.touched());
    const market = { seed: SEED, symbols, tickSessions: 0 };
    await runLiveSession(app.context, simulatedLiveFeed(market, session, calendar, app.context.clock), {
      signal: stop.signal,
      async onMinute(step) {
        all.push({ ...step, partsMs: await parts.take() });
        const minute = (step.at - noon) / MINUTE_MS;
        if (minute === WARM_UP_MINUTES) {
          await onBegin();
          began = { workersMs: workersMs(), live: process.cpuUsage() };
        }
        if (minute >= WARM_UP_MINUTES + minutes) stop.abort();
      },
    });
    const { user, system } = process.cpuUsage(began.live);
    return {
      steps: all.filter(({ at }) => at > noon + WARM_UP_MINUTES * MINUTE_MS),
      first: all[0]!,
      workersMs: workersMs() - began.workersMs,
      liveMs: (user + system) / 1_000,
    };
  } finally {
    stop.abort();
    await Promise.all(throttled);
    await parts.close();
    await app.close();
    await Promise.all(members.map((member) => member.kill('SIGTERM')));
  }
}

/** Gives a process a share of one core, as a smaller machine would: stops it while it has used more. */
async function throttle(member: Member, share: number, signal: AbortSignal): Promise<void> {
  let [at, usedMs, creditMs] = [performance.now(), member.processorMs(), 0];
  while (share < 1 && !signal.aborted) {
    const [nowAt, nowUsedMs] = [performance.now(), member.processorMs()];
    creditMs = Math.min(CREDIT_MAX_MS, creditMs + share * (nowAt - at) - (nowUsedMs - usedMs));
    [at, usedMs] = [nowAt, nowUsedMs];
    await (creditMs < 0 ? member.pause(-creditMs / share) : delay(THROTTLE_MS));
  }
}

/** Notes on the bus when parts of a minute are handed out and answered. */
async function watchParts(natsUrl: string) {
  const connection = await connect({ servers: natsUrl.split(',') });
  let given: number | null = null;
  let answered = 0;
  connection.subscribe('*.work.minute.*', {
    callback() {
      given ??= performance.now();
    },
  });
  connection.subscribe('*.answer.>', {
    callback() {
      answered = performance.now();
    },
  });
  await connection.flush();
  return {
    /** From the first work to the last answer since it was last asked. */
    async take(): Promise<number> {
      // What was published before has arrived.
      await connection.flush();
      const ms = given === null ? 0 : answered - given;
      given = null;
      return ms;
    },
    close: () => connection.close(),
  };
}
