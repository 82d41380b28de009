import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BacktestSpec, ENTRY_TYPES, type OwnSignal } from '../analysis/backtest/spec.ts';
import { dateOf } from '../base/calendar.ts';
import { CodedError } from '../base/errors.ts';
import { at } from '../base/fault-points.ts';
import { storedSymbol } from '../base/parameters.ts';
import type { Scope } from '../base/scope.ts';
import { Type } from '../base/type.ts';
import type { Bus, Queue, WorkOf } from '../bus/bus.ts';
import type { Database, Queryable } from '../database/database.ts';
import type { Tape } from '../tape/index.ts';
import type { Backtester } from '../workers/backtester.ts';
import { dataVersion } from './optimization-request.ts';

const Positive = Type.Array(Type.Number({ exclusiveMinimum: 0 }), { minItems: 1 });

/** One symbol of a run as a worker gets it; the outcome goes through the database. */
const SLICE_QUEUE = {
  name: 'backtest',
  version: 2,
  work: Type.Object({
    run: Type.String({ pattern: '^[!-~]+$' }),
    symbol: storedSymbol,
    spec: Type.Object({
      signalTypes: Type.Array(Type.Enum(ENTRY_TYPES), { minItems: 1 }),
      stops: Positive,
      targets: Positive,
      topN: Type.Integer({ minimum: 1 }),
      tradeDays: Type.Array(Type.Integer(), { minItems: 1 }),
      commissionPerShare: Type.Number({ minimum: 0 }),
      slippageBps: Type.Number({ minimum: 0 }),
      halfSpread: Type.Optional(Type.Boolean()),
    }),
    /** Entries of the caller in the symbol. */
    own: Type.Array(
      Type.Unsafe<OwnSignal>({ type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 }),
    ),
    /** Of what the symbol has on the tape up to the last session. */
    dataVersion: Type.String({ pattern: '^[!-~]+$' }),
  }),
  answer: Type.Object({}),
} satisfies Queue;
type SliceWork = WorkOf<typeof SLICE_QUEUE>;

/** Symbols of one run that workers walk at a time. */
const SLICES_AHEAD = 32;

/** Hands the symbols of a run to the processes that take them, and brings the outcomes into its folder. */
export const backtesterOnBus = (
  here: Backtester,
  run: string,
  { bus, database }: { readonly bus: Bus; readonly database: Database },
): Backtester => ({
  ...here,
  threads: SLICES_AHEAD,
  async walk(request, signal, onSessions) {
    const { spec, tape, own, file } = request;
    const version = dataVersion([tape], lastSessionOf(spec), spec.halfSpread);
    const work = { run, symbol: tape.symbol, spec, own: [...own], dataVersion: version };
    let outcome = await readSlice(database, work);
    if (outcome === null) {
      await bus.ask(SLICE_QUEUE, work, signal);
      outcome = await readSlice(database, work);
    }
    if (outcome !== null) await writeFile(file, outcome);
    // Reads the file; a symbol without one, of a run that was deleted, is walked here.
    return here.walk(request, signal, onSessions);
  },
});

interface SliceContext {
  readonly tape: Pick<Tape, 'symbolTapes'>;
  readonly backtester: Backtester;
  readonly database: Queryable;
}

/** Walks symbols of runs that other processes lead; as many at a time as there are threads for it. */
export function takeBacktestSlices(
  scope: Scope,
  { tape, backtester, database }: SliceContext,
  bus: Bus,
): void {
  bus.take(scope, SLICE_QUEUE, backtester.threads, async (work, signal) => {
    const { symbol, spec, own } = work;
    const [found] = await tape.symbolTapes([symbol], { signal });
    const version = found && dataVersion([found], lastSessionOf(spec), spec.halfSpread);
    if (found === undefined || version !== work.dataVersion) {
      const sentence = `The bars of ${symbol} changed while the run was under way; start it again.`;
      throw new CodedError('conflict', sentence);
    }
    const file = join(backtester.directory, `slice-${randomUUID()}`);
    mkdirSync(dirname(file), { recursive: true });
    try {
      await backtester.walk({ spec, tape: found, own, file }, signal, () => {});
      await writeSlice(database, work, await readFile(file));
      return {};
    } finally {
      await rm(file, { force: true });
    }
  });
}

const lastSessionOf = ({ tradeDays }: BacktestSpec): string => dateOf(tradeDays.at(-1)!);

/** Of a run that was deleted meanwhile nothing is stored. */
async function writeSlice(database: Queryable, { run, symbol, dataVersion }: SliceWork, outcome: Uint8Array) {
  await database.write(
    `insert into backtest_slice (run_id, symbol, data_version, outcome)
     select id, $2, $3, $4 from backtest_run where id = $1
     on conflict (run_id, symbol) do update set data_version = excluded.data_version, outcome = excluded.outcome`,
    [run, symbol, dataVersion, outcome],
  );
  at('slice.committed');
}

async function readSlice(
  database: Queryable,
  { run, symbol, dataVersion }: SliceWork,
): Promise<Uint8Array | null> {
  const [row] = await database.query<{ outcome: Uint8Array }>(
    'select outcome from backtest_slice where run_id = $1 and symbol = $2 and data_version = $3',
    [run, symbol, dataVersion],
  );
  return row?.outcome ?? null;
}

export async function deleteSlices(database: Queryable, run: string): Promise<void> {
  await database.write('delete from backtest_slice where run_id = $1', [run]);
  at('slices.dropped');
}
