import { type RunRow, readEntries } from '../../backtests/run-rows.ts';
import { midnightUtc } from '../../base/calendar.ts';
import { callerLeft } from '../../base/caller.ts';
import { CodedError } from '../../base/errors.ts';
import { type Caller, visibleInstant } from '../access/viewer.ts';
import { queryRefusal } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { getRun } from './get-run.ts';

/** Rows of an answer with several cells. */
const ROWS_MAX = { json: 100_000, arrow: 1_000_000 } as const;

interface AskedTrades {
  readonly id: string;
  readonly of: 'trades' | 'equity';
  /** Stop and target with a comma between them, or `all`; by default the best cell. */
  readonly cell?: string | undefined;
  readonly format: 'json' | 'arrow';
}

/**
 * Trades or equity of cells of a completed run, of the sessions that were over at the caller's instant: JSON text or an
 * Arrow stream.
 *
 * @throws ValidationRefusal for a cell that the run does not have, or more rows than may be sent at once
 * @throws CodedError unknown_run, symbol_not_granted; conflict for a run that is not completed
 */
export async function getTrades(
  context: Pick<AppContext, 'database' | 'deriver' | 'calendar' | 'clock'>,
  { id, of, cell, format }: AskedTrades,
  caller: Caller,
): Promise<string | Uint8Array> {
  const { database, deriver, calendar, clock } = context;
  const signal = callerLeft();
  const run = await getRun(context, id, caller);
  if (run.status !== 'completed') {
    const then =
      run.status === 'pending' || run.status === 'running' ? 'ask again once it is' : 'start it again';
    throw new CodedError('conflict', `The run is ${run.status}; only a completed one has trades: ${then}`);
  }
  const cells = cellsOf(run, cell);
  const packed = await readEntries(database, run.id, signal === undefined ? {} : { signal });
  if (packed.length === 0) {
    throw new CodedError(
      'conflict',
      'The run is of an earlier release, which kept no trades; start it again',
    );
  }
  const visible = visibleInstant(caller, clock.now());
  const { start_date } = run.request;
  const closes = calendar
    .sessionsBetween(start_date, run.last_session)
    .map((date) => ({ date, close: calendar.session(date)!.close }));
  const last = closes.findLast(({ close }) => close <= visible);
  const head = {
    id: run.id,
    as_of: new Date(Math.min(visible, closes.at(-1)!.close)).toISOString(),
    simulated: run.simulated,
  };
  const request = {
    of,
    packed,
    cells,
    lastDay: last === undefined ? Number.NEGATIVE_INFINITY : midnightUtc(last.date),
    format,
    rowsMax: ROWS_MAX[format],
    head,
  };
  const { body, rows } = await deriver.trades(request, {
    isBulk: cells.length > 1,
    ...(signal && { signal }),
  });
  if (body !== '') return body;
  throw queryRefusal(
    'cell',
    cell,
    `All cells have ${rows} rows, ${ROWS_MAX[format]} at most are sent at once; ask cell by cell${format === 'json' ? ', or for Arrow' : ''}`,
  );
}

/** Indices of the cells asked for, stop by stop. */
function cellsOf({ request, results }: RunRow, asked: string | undefined): number[] {
  const { stop_atr_range: stops, target_atr_range: targets } = request;
  if (asked === 'all') return [...Array(stops.length * targets.length).keys()];
  const [best] = JSON.parse(results ?? '[]') as {
    parameter_set: { stop_atr: number; target_atr: number };
  }[];
  // Without a ranked cell it is the first.
  const { stop_atr, target_atr } = best?.parameter_set ?? { stop_atr: stops[0], target_atr: targets[0] };
  const [stop, target] = asked === undefined ? [stop_atr, target_atr] : asked.split(',').map(Number);
  const [row, column] = [stops.indexOf(stop!), targets.indexOf(target!)];
  if (row >= 0 && column >= 0) return [row * targets.length + column];
  const sentence = `The run has no cell of stop ${stop} and target ${target}; its stops are ${stops.join(', ')}, its targets ${targets.join(', ')}`;
  throw queryRefusal('cell', asked, sentence);
}
