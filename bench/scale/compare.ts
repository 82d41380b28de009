import {
  catchUpMs,
  hitShare,
  type Minute,
  mergedCatchUpMs,
  minuteMs,
  minuteWithLossMs,
  minuteWithoutBarrierMs,
  type Queue,
  refusedShare,
  waitMs,
} from './model.ts';
import {
  playCache,
  playMergedMinutes,
  playMinutes,
  playMinutesWithLoss,
  playOutage,
  playQueue,
} from './simulation.ts';
import type { Row } from './table.ts';

const SEED = 1;
/** From the death of a worker until its parts are with others, on average over the heartbeats of the bus. */
const TAKEOVER_MS = 9_800;

/** A case that both can tell. */
export interface Compared {
  readonly what: string;
  readonly model: number;
  readonly simulation: number;
  /** Of a figure without what the case is about. */
  readonly naive?: number;
}

/** The time of a minute in 64 parts by desks of several sizes. */
export const compareMinutes = (minutes: number): Compared[] =>
  (['equal', 'chance'] as const).flatMap((placement) =>
    [
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 4],
      [8, 4],
      [16, 2],
    ].map(([workers, threads]): Compared => {
      const minute: Minute = {
        parts: 64,
        workers: workers!,
        threads: threads!,
        partMs: 430,
        partSpread: 0.1,
        placement,
      };
      return {
        what: `${workers} x ${threads} threads, parts ${placement === 'equal' ? 'equally many' : 'by chance'}`,
        model: minuteMs(minute),
        simulation: playMinutes(minute, minutes, SEED),
        naive: minuteWithoutBarrierMs(minute),
      };
    }),
  );

/** The same when one worker ends during the minute. */
export const compareLosses = (minutes: number): Compared[] =>
  [2, 4, 8].flatMap((workers) =>
    [0.1, 0.6].map((doneShare): Compared => {
      const minute: Minute = {
        parts: 64,
        workers,
        threads: 2,
        partMs: 430,
        partSpread: 0.1,
        placement: 'equal',
      };
      return {
        what: `one of ${workers} x 2 threads lost after ${100 * doneShare} % of its parts`,
        model: minuteWithLossMs(minute, doneShare, TAKEOVER_MS),
        simulation: playMinutesWithLoss(minute, doneShare, minutes, SEED),
        naive: minuteMs({ ...minute, workers: workers - 1 }),
      };
    }),
  );

/** Waits before threads that derive what is asked for. */
export const compareWaits = (requests: number): Compared[] =>
  [
    [1, 0.5, 0.5],
    [2, 0.5, 0.8],
    [4, 0.5, 0.8],
    [4, 1, 0.8],
    [8, 1, 0.9],
  ].map(([servers, serviceSpread, load]): Compared => {
    const queue = queueOf(servers!, load!, serviceSpread!);
    return {
      what: `${servers} threads, ${100 * load!} % busy, spread ${serviceSpread}`,
      model: waitMs(queue),
      simulation: playQueue(queue, requests, SEED).waitMs,
    };
  });

/** Requests in percent that are refused with 48 waiting for each thread. */
export const compareRefusals = (requests: number): Compared[] =>
  [0.95, 1.05, 1.5, 3].map((load): Compared => {
    const queue = queueOf(2, load, 0.5);
    const room = 49 * queue.servers;
    return {
      what: `2 threads asked for ${100 * load} % of what they can`,
      model: 100 * refusedShare(queue, room),
      simulation: 100 * playQueue(queue, requests, SEED, room).refusedShare,
    };
  });

/** Hits in percent where 11,000 symbols are asked for evenly and expire each minute. */
export const compareCache = (requests: number): Compared[] =>
  [100, 1_000, 5_000].map(
    (perSecond): Compared => ({
      what: `${perSecond} requests/s`,
      model: 100 * hitShare(perSecond / 1_000, 11_000, 60_000),
      simulation: 100 * playCache(perSecond / 1_000, 11_000, 60_000, requests, SEED),
    }),
  );

/** Time to work off what piled up, with servers that are busy for a share of the time otherwise. */
export const compareOutages = (outages: number): Compared[] =>
  [0.3, 0.6, 0.8].map((load): Compared => {
    const awayMs = 60_000;
    return {
      what: `stock-days, 4 threads ${100 * load} % busy, bus away for ${awayMs / 1_000} s`,
      model: catchUpMs(awayMs, load),
      simulation: playOutage(queueOf(4, load, 1), awayMs, outages, SEED),
    };
  });

/** The same of live minutes, which are processed together. */
export const compareMergedMinutes = (outages: number): Compared[] =>
  [
    [5, 5],
    [5, 20],
    [90, 20],
    [90, 40],
  ].map(([awayMinutes, stepSeconds]): Compared => {
    const merged = { minuteMs: 60_000, stepMs: stepSeconds! * 1_000, addedShare: 0.01, mergedMax: 60 };
    const awayMs = awayMinutes! * 60_000 + 20_000;
    return {
      what: `live minutes of ${stepSeconds} s, ${awayMinutes} of them missed`,
      model: mergedCatchUpMs(awayMs, merged),
      simulation: playMergedMinutes(awayMs, merged, 0.1, outages, SEED),
      naive: catchUpMs(awayMs, merged.stepMs / merged.minuteMs),
    };
  });

const queueOf = (servers: number, load: number, serviceSpread: number): Queue => ({
  rate: (load * servers) / 10,
  servers,
  serviceMs: 10,
  serviceSpread,
});

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
const milliseconds = (ms: number): string => `${ms.toFixed(1)} ms`;
const percent = (value: number): string => `${value.toFixed(1)} %`;

const rowsOf = (
  naive: string | null,
  compared: readonly Compared[],
  shown: (value: number) => string,
): readonly Row[] => [
  ['', 'model', 'simulation', ...(naive === null ? [] : [naive])],
  ...compared.map((one) => [
    one.what,
    ...[one.model, one.simulation, ...(naive === null ? [] : [one.naive!])].map(shown),
  ]),
];

/** Every table, with enough rounds that two digits stand. */
export const compareAll = (): { readonly title: string; readonly rows: readonly Row[] }[] => [
  { title: 'A minute of 11,000 symbols', rows: rowsOf('work / threads', compareMinutes(2_000), seconds) },
  { title: 'A worker lost in it', rows: rowsOf('without its worker', compareLosses(2_000), seconds) },
  { title: 'Wait for a thread', rows: rowsOf(null, compareWaits(500_000), milliseconds) },
  { title: 'Refused', rows: rowsOf(null, compareRefusals(500_000), percent) },
  { title: 'Answered from the cache', rows: rowsOf(null, compareCache(2_000_000), percent) },
  { title: 'Catching up', rows: rowsOf(null, compareOutages(50), seconds) },
  {
    title: 'Catching up with minutes',
    rows: rowsOf('one by one', compareMergedMinutes(500), seconds),
  },
];
