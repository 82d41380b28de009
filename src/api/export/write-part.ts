import { DAY_MS, midnightUtc } from '../../base/calendar.ts';
import { DERIVATION } from '../../derive/derivation.ts';
import { oldestDay } from '../../tape/index.ts';
import type { AppContext } from '../context/app-context.ts';
import type { ExportPart } from './kind.ts';
import type { ExportPlan, PlannedPart } from './plan-export.ts';

interface PartListener extends Partial<Pick<ExportPart, 'onRead'>> {
  /** Receives the number of rows. */
  readonly onEnd?: (rows: number) => void;
}

/**
 * The bytes of a file of an export as they are made: the same for the same instant, whenever they are asked for.
 *
 * @throws CodedError overloaded, shutting_down, those of a derivation; the reason of the signal
 */
export function writePart(
  context: AppContext,
  { kind, format, options, columns, viewer, simulated, range, isNamed, tapes }: ExportPlan,
  { tradeDates, asOf }: PlannedPart,
  signal: AbortSignal,
  { onEnd, onRead = () => {} }: PartListener = {},
): AsyncGenerator<Uint8Array> {
  const last = midnightUtc(tradeDates.at(-1)!) / DAY_MS;
  const metadata = {
    kind: kind.name,
    as_of: new Date(asOf).toISOString(),
    formula_version: `${DERIVATION}`,
    generated_by: 'tigraph',
    simulated: `${simulated}`,
    ...(kind.name === 'bars' ? { ...options, adjusted: `${options.adjusted}` } : {}),
  };
  // A stock that came later leaves a file as it was.
  const known = tapes.filter((tape) => oldestDay(tape)! <= last);
  const part = {
    ...options,
    viewer,
    simulated,
    columns,
    tradeDates,
    range,
    isNamed,
    tapes: known,
    signal,
    onRead,
  };
  return context.exporter.encode({ format, columns, metadata }, kind.batches(context, part), signal, onEnd);
}
