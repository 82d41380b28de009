import { hash } from 'node:crypto';
import type { Static } from 'typebox';
import { type BacktestSpec, type OwnSignal, SIGNAL_TYPES } from '../analysis/backtest/spec.ts';
import { DAY_MS, midnightUtc } from '../base/calendar.ts';
import * as wire from '../base/schema.ts';
import { FORMULA_VERSION } from '../derive/backtest-text.ts';
import type { SymbolTape } from '../tape/index.ts';

/** A request in canonical form, as a run stores it. */
export const OptimizationRequest = wire.record('OptimizationRequestTaken', 'The request in canonical form.', {
  symbols: wire.listOf(wire.string('Ticker symbol.'), 'Ascending.'),
  start_date: wire.date('First trade date.'),
  end_date: wire.date('Last trade date.'),
  signal_types: wire.listOf(
    wire.oneOf(SIGNAL_TYPES, 'The signal.'),
    'In the order of the contract; empty for own entries.',
  ),
  signals: wire.nullable(
    wire.record('OwnEntriesTaken', 'Entries of the caller, which the trades of the run name.', {
      count: wire.integer('Entries, each once.', wire.NOT_NEGATIVE),
      sha256: wire.string('Digest of them: of equal entries in any order it is equal.'),
    }),
  ),
  stop_atr_range: wire.listOf(wire.number('Multiple of the daily ATR.'), 'Ascending.'),
  target_atr_range: wire.listOf(wire.number('Multiple of the daily ATR.'), 'Ascending.'),
  top_n: wire.integer('Number of best results.'),
  commission_per_share: wire.number('Dollars a share, each way.'),
  slippage_bps: wire.number('Basis points.'),
  half_spread: wire.flag('Whether fills pay half of the quoted spread.'),
});

export type OptimizationRequest = Static<typeof OptimizationRequest>;

/** Entries of the caller by symbol, each list ascending. */
export type OwnEntries = Readonly<Record<string, readonly OwnSignal[]>>;

/** @param sessions trade dates of the run, ascending */
export function specOf(request: OptimizationRequest, sessions: readonly string[]): BacktestSpec {
  return {
    signalTypes: request.signals === null ? request.signal_types : ['own'],
    stops: request.stop_atr_range,
    targets: request.target_atr_range,
    topN: request.top_n,
    tradeDays: sessions.map(midnightUtc),
    commissionPerShare: request.commission_per_share,
    slippageBps: request.slippage_bps,
    halfSpread: request.half_spread,
  };
}

/** @param lastSession last session of the run */
export const digestOf = (request: OptimizationRequest, lastSession: string): string =>
  hash('sha256', JSON.stringify([FORMULA_VERSION, lastSession, request]));

const SERIES_READ: ReadonlySet<string> = new Set(['bars-1d', 'bars-1m', 'bars-5m']);

/** Hashes what a backtest reads of the tape up to a trade date. Later rows matter only within the same slice. */
export function dataVersion(tapes: readonly SymbolTape[], lastSession: string, readsQuotes = false): string {
  const isRead = (kind: string): boolean => SERIES_READ.has(kind) || (readsQuotes && kind === 'quotes-1m');
  const lastDay = midnightUtc(lastSession) / DAY_MS;
  const parts = tapes.map(({ symbol, slices, running, actions }) => [
    symbol,
    slices
      .filter(({ kind, firstDay }) => isRead(kind) && firstDay <= lastDay)
      .map(({ kind, firstDay, lastDay: last, rows, checksum }) => [kind, firstDay, last, rows, checksum]),
    running
      .filter(({ kind, columns }) => isRead(kind) && columns[0]![0]! < (lastDay + 1) * DAY_MS)
      .map(({ kind, columns }) => [kind, ...columns.map((column) => hash('sha1', bytesOf(column)))]),
    actions.filter(({ exDate }) => exDate <= lastDay * DAY_MS),
  ]);
  parts.sort(([one], [other]) => (one! < other! ? -1 : 1));
  return hash('sha256', JSON.stringify(parts)).slice(0, 24);
}

/** The name of a run: of the same question of the same caller to the same data it is the same, as an UUID (RFC 9562). */
export function runId(owner: string | null, requestDigest: string, version: string): string {
  const hex = hash('sha256', JSON.stringify([owner, requestDigest, version]));
  const variant = '89ab'[Number.parseInt(hex[16]!, 16) % 4];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
