import { hash } from 'node:crypto';
import { type BacktestSpec, SIGNAL_TYPES } from '../../analysis/backtest/spec.ts';
import { DAY_MS, midnightUtc } from '../../base/calendar.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { FORMULA_VERSION } from '../../derive/backtest-text.ts';
import type { SymbolTape } from '../../market/tape/index.ts';
import { type OptimizationBody, type OptimizationRequest, REQUEST_DEFAULTS } from './schema.ts';

/** Largest symbols x sessions x cells of one run: two and a half times a year of 20 symbols and 400 cells. */
export const WALKED_CELLS_MAX = 5_000_000;

/** Equal runs get equal requests: order, capitals, repetition and defaults do not matter. */
export function canonicalRequest(body: OptimizationBody): OptimizationRequest {
  const whole = { ...REQUEST_DEFAULTS, ...body };
  const types = new Set(whole.signal_types);
  return {
    symbols: [...new Set(whole.symbols.map(canonicalSymbol))].sort(),
    start_date: whole.start_date,
    end_date: whole.end_date,
    signal_types: SIGNAL_TYPES.filter((type) => types.has(type)),
    stop_atr_range: ascending(whole.stop_atr_range),
    target_atr_range: ascending(whole.target_atr_range),
    top_n: whole.top_n,
    commission_per_share: whole.commission_per_share,
    slippage_bps: whole.slippage_bps,
  };
}

const ascending = (values: readonly number[]): number[] => [...new Set(values)].sort((a, b) => a - b);

/** @param sessions trade dates of the run, ascending */
export function specOf(request: OptimizationRequest, sessions: readonly string[]): BacktestSpec {
  return {
    signalTypes: request.signal_types,
    stops: request.stop_atr_range,
    targets: request.target_atr_range,
    topN: request.top_n,
    tradeDays: sessions.map(midnightUtc),
    commissionPerShare: request.commission_per_share,
    slippageBps: request.slippage_bps,
  };
}

/** @param lastSession last session of the run */
export const digestOf = (request: OptimizationRequest, lastSession: string): string =>
  hash('sha256', JSON.stringify([FORMULA_VERSION, lastSession, request]));

const SERIES_READ: ReadonlySet<string> = new Set(['bars-1d', 'bars-1m', 'bars-5m']);

/** Hashes what a backtest reads of the tape up to a trade date. Later rows matter only within the same slice. */
export function dataVersion(tapes: readonly SymbolTape[], lastSession: string): string {
  const lastDay = midnightUtc(lastSession) / DAY_MS;
  const parts = tapes.map(({ symbol, slices, running, actions }) => [
    symbol,
    slices
      .filter(({ kind, firstDay }) => SERIES_READ.has(kind) && firstDay <= lastDay)
      .map(({ kind, firstDay, lastDay: last, rows, checksum }) => [kind, firstDay, last, rows, checksum]),
    running
      .filter(({ kind, columns }) => SERIES_READ.has(kind) && columns[0]![0]! < (lastDay + 1) * DAY_MS)
      .map(({ kind, columns }) => [kind, ...columns.map((column) => hash('sha1', bytesOf(column)))]),
    actions.filter(({ exDate }) => exDate <= lastDay * DAY_MS),
  ]);
  parts.sort(([one], [other]) => (one! < other! ? -1 : 1));
  return hash('sha256', JSON.stringify(parts)).slice(0, 24);
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
