import { wholeMinute } from '../../base/as-of.ts';
import { lastClose } from '../../base/calendar.ts';
import { CodedError, ValidationRefusal } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { BarInterval } from '../../derive/bars.ts';
import { DERIVATION } from '../../derive/derivation.ts';
import type { ExportColumn, ExportFormat } from '../../export/column.ts';
import { isSimulated, type SymbolTape } from '../../tape/index.ts';
import { type Caller, mayName, visibleInstant } from '../access/viewer.ts';
import { unknownWord, valueFault } from '../answers/refusals.ts';
import { seenTapes, unseenFaults } from '../answers/seen-tapes.ts';
import type { AppContext } from '../context/app-context.ts';
import type { MarketName } from '../context/symbol-markets.ts';
import { begunSessions, firstDate } from '../history/find-days.ts';
import type { BarOptions, ExportKind } from './kind.ts';
import { EXPORT_KINDS } from './kinds.ts';
import type { ExportAnswer } from './schema.ts';

export interface ExportRequest {
  readonly kind: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly symbols?: readonly string[] | undefined;
  readonly market?: MarketName | undefined;
  readonly fields?: readonly string[] | undefined;
  readonly format?: ExportFormat | undefined;
  readonly interval?: BarInterval | undefined;
  readonly session?: BarOptions['session'] | undefined;
  readonly adjusted?: boolean | undefined;
}

/** Of files and manifests; another one when what is written of the same question changes its form. */
const SCHEMA_VERSION = 1;

/** A file of an export. */
export interface PlannedPart {
  /** Below the folder of the export, with slashes. */
  readonly path: string;
  readonly from: string | null;
  readonly to: string | null;
  /** Nothing that became known later counts: the end of its last session, or the instant of the export where that is earlier. */
  readonly asOf: number;
  readonly tradeDates: readonly string[];
}

export interface ExportPlan {
  readonly kind: ExportKind;
  readonly format: ExportFormat;
  readonly options: BarOptions;
  readonly columns: readonly ExportColumn[];
  readonly viewer: Caller & { readonly asOf: number };
  readonly simulated: boolean;
  readonly range: Pick<ExportRequest, 'from' | 'to'>;
  readonly isNamed: boolean;
  /** By name. */
  readonly tapes: readonly SymbolTape[];
  readonly parts: readonly PlannedPart[];
}

/**
 * Parts an export into files.
 *
 * @throws ValidationRefusal for unknown columns and symbols, a reversed range, and one without data
 * @throws CodedError symbol_not_granted
 */
export async function planExport(
  context: AppContext,
  request: ExportRequest,
  caller: Caller,
  signal: AbortSignal,
): Promise<ExportPlan> {
  const kind = EXPORT_KINDS.find(({ name }) => name === request.kind)!;
  const { format = 'parquet', from, to, interval = '1m', session = 'regular', adjusted = false } = request;
  const options = { interval, session, adjusted };
  const columns = columnsNamed(kind, options, request.fields);
  if (from !== undefined && to !== undefined && from > to)
    throw new ValidationRefusal([
      valueFault(['body', 'from'], from, `Input should not be after to, which is ${to}`),
    ]);
  const asOf = wholeMinute(visibleInstant(caller, context.clock.now()));
  const viewer = { ...caller, asOf };
  const { tapes, simulated } = await tapesOf(context, request, viewer, signal);
  const dates = await datesOf(context, request, tapes, asOf, signal);
  const suffix = format === 'parquet' ? 'parquet' : format;
  const parts = partsOf(kind.partition(options), dates).map(({ folder, tradeDates }): PlannedPart => {
    const last = tradeDates.at(-1)!;
    return {
      path: `${folder}${kind.name}.${suffix}`,
      from: tradeDates[0]!,
      to: last,
      tradeDates,
      asOf:
        kind.partition(options) === 'all'
          ? lastClose(context.calendar, asOf)
          : Math.min(asOf, context.calendar.session(last)!.end),
    };
  });
  const isNamed = request.symbols !== undefined;
  return { kind, format, options, columns, viewer, simulated, range: { from, to }, isNamed, tapes, parts };
}

/** What an export will be, on the wire and in its manifest. */
export const describePlan = (plan: ExportPlan): ExportAnswer => ({
  kind: plan.kind.name,
  format: plan.format,
  schema_version: SCHEMA_VERSION,
  as_of: new Date(plan.viewer.asOf).toISOString(),
  source: plan.viewer.source,
  simulated: plan.simulated,
  formula_version: DERIVATION,
  from: plan.parts[0]!.from!,
  to: plan.parts.at(-1)!.to!,
  symbols: plan.tapes.length,
  columns: plan.columns.map(({ name, type, unit, description }) => ({ name, type, unit, description })),
  parts: plan.parts.map(({ path, from, to }) => ({ path, from: from!, to: to! })),
});

function columnsNamed(
  kind: ExportKind,
  options: BarOptions,
  fields: readonly string[] | undefined,
): readonly ExportColumn[] {
  const all = kind.columns(options);
  if (fields === undefined) return all;
  const wanted = new Set(fields.map((name) => name.trim()));
  const names = all.map(({ name }) => name);
  const unknown = [...wanted].filter((name) => !names.includes(name));
  if (unknown.length > 0)
    throw new ValidationRefusal(
      unknown.map((name) => ({
        ...unknownWord('fields', name, names, `No column of ${kind.name} is called '${name}'`, {
          hint: 'the same request without `fields` lists them all',
        }),
        loc: ['body', 'fields'],
      })),
    );
  return all.filter(({ name, isKnown }) => isKnown === true || wanted.has(name));
}

async function tapesOf(
  context: AppContext,
  { symbols, market }: ExportRequest,
  viewer: Caller & { readonly asOf: number },
  signal: AbortSignal,
): Promise<{ readonly tapes: readonly SymbolTape[]; readonly simulated: boolean }> {
  const byName = (all: readonly SymbolTape[]) => all.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
  if (symbols === undefined) {
    const simulated = await context.symbolMarkets.marketFor(viewer, market);
    const names = [...(await context.symbolMarkets.symbolsOf(viewer, simulated))];
    return { simulated, tapes: byName(await seenTapes(context, names, viewer, { signal })) };
  }
  const names = [...new Set(symbols.map(canonicalSymbol))];
  const foreign = names.filter((symbol) => !mayName(viewer, symbol));
  if (foreign.length > 0)
    throw new CodedError(
      'symbol_not_granted',
      `The grant does not cover ${foreign.join(', ')}; without symbols the export is of all that it covers`,
    );
  const tapes = byName(await seenTapes(context, names, viewer, { signal }));
  const faults = unseenFaults(names, tapes);
  if (faults.length > 0) throw new ValidationRefusal(faults);
  if (new Set(tapes.map(isSimulated)).size > 1) throw new CodedError('other_market');
  return { tapes, simulated: tapes.some(isSimulated) };
}

/** The sessions of a request with data that was known at an instant, ascending. */
async function datesOf(
  { calendar, deriver }: AppContext,
  { from, to }: ExportRequest,
  tapes: readonly SymbolTape[],
  asOf: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const newest = await deriver.newestSessions({ tapes, asOf }, { signal });
  const newestOfAll = newest
    .flatMap((date) => date ?? [])
    .sort()
    .at(-1);
  const reach =
    newestOfAll === undefined ? null : { first: tapes.map(firstDate).sort()[0]!, last: newestOfAll };
  const first = reach !== null && (from === undefined || from < reach.first) ? reach.first : from;
  const last = reach !== null && (to === undefined || to > reach.last) ? reach.last : to;
  const dates = reach === null || first! > last! ? [] : begunSessions(calendar, first!, last!, asOf);
  if (dates.length > 0) return dates;
  const asked = `from ${from ?? 'the beginning'} to ${to ?? 'now'}`;
  const known =
    reach === null ? 'there is none at all by then' : `it reaches from ${reach.first} to ${reach.last}`;
  throw new ValidationRefusal([
    valueFault(['body', 'from'], from ?? null, `No stock of the export has data ${asked}; ${known}`),
  ]);
}

interface PartDates {
  readonly folder: string;
  readonly tradeDates: readonly string[];
}

function partsOf(partition: ReturnType<ExportKind['partition']>, dates: readonly string[]): PartDates[] {
  if (partition === 'all') return [{ folder: '', tradeDates: dates }];
  const nameOf = (date: string): string =>
    partition === 'date' ? `date=${date}` : `year=${date.slice(0, 4)}`;
  return Array.from(Map.groupBy(dates, nameOf), ([name, tradeDates]) => ({ folder: `${name}/`, tradeDates }));
}
