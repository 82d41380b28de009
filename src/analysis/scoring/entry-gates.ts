import { compact } from '../compact.ts';
import { say } from '../sentences.ts';
import { MINUTE_MS } from '../sessions.ts';
import { FEED_STALE_MINUTES, MARKET_BREAKER_PCT } from './warnings.ts';

type GateStatus = 'passed' | 'failed' | 'unknown';

/** A condition without which no entry is taken, however good its timing. */
export interface EntryGate {
  readonly gate: string;
  readonly status: GateStatus;
  /** A sentence that quotes what it was judged by. */
  readonly reason: () => string;
}

/** Null: not known. Instants in epoch milliseconds. */
export interface GateInputs {
  readonly asOf: number;
  readonly session: { readonly open: number; readonly close: number };
  /** Shares a day over 30 sessions. */
  readonly averageShares: number | null;
  readonly halted: boolean;
  readonly circuitBreakerPassed: boolean | null;
  readonly intradayReturnPct: number | null;
  readonly indexReturn1dPct: number | null;
  /** End of the newest regular bar; NaN without one. */
  readonly newestBarEnd: number;
  readonly qualityPassed: boolean | null;
}

/** The contract's line for a liquid stock. */
export const AVERAGE_SHARES_MIN = 500_000;
/** The opening auction's echo, and the closing auction's pull. */
export const FIRST_MINUTES = 5;
export const LAST_MINUTES = 10;

/** The gates in their order. There is none for the spread: the tape has the times of quotes, not their prices. */
export function entryGates(inputs: GateInputs): EntryGate[] {
  return [
    liquidity(inputs),
    notHalted(inputs),
    sessionWindow(inputs),
    circuitBreaker(inputs),
    dataFresh(inputs),
    quality(inputs),
  ];
}

/** False when any gate failed, else null when any is unknown. */
export function allGatesPassed(gates: readonly EntryGate[]): boolean | null {
  if (gates.some(({ status }) => status === 'failed')) return false;
  return gates.some(({ status }) => status === 'unknown') ? null : true;
}

const judged = (gate: string, passed: boolean | null, reason: () => string): EntryGate => ({
  gate,
  status: passed === null ? 'unknown' : passed ? 'passed' : 'failed',
  reason,
});

function liquidity({ averageShares }: GateInputs): EntryGate {
  if (averageShares === null) return judged('liquidity', null, () => say('entry.volume_unknown'));
  const passed = averageShares >= AVERAGE_SHARES_MIN;
  return judged('liquidity', passed, () => {
    // Whole thousands below: 499,999 is fewer than 500K.
    const shares = compact(Math.floor(averageShares / 1000) * 1000);
    if (passed) return say('entry.liquid', { shares });
    return say('entry.illiquid', { shares, least: compact(AVERAGE_SHARES_MIN) });
  });
}

const notHalted = ({ halted }: GateInputs): EntryGate =>
  judged('not_halted', !halted, () => say(halted ? 'entry.halted' : 'entry.trading'));

function sessionWindow({ asOf, session: { open, close } }: GateInputs): EntryGate {
  const since = Math.floor((asOf - open) / MINUTE_MS);
  const left = Math.ceil((close - asOf) / MINUTE_MS);
  const isEarly = asOf < open + FIRST_MINUTES * MINUTE_MS;
  const isLate = asOf >= close - LAST_MINUTES * MINUTE_MS;
  const reason = () =>
    isEarly
      ? say('entry.too_early', { since, first: FIRST_MINUTES })
      : left <= 0
        ? say('entry.closed')
        : isLate
          ? say('entry.too_late', { left, last: LAST_MINUTES })
          : say('entry.in_session', { since, left });
  return judged('session_window', !isEarly && !isLate, reason);
}

function circuitBreaker(inputs: GateInputs): EntryGate {
  const { circuitBreakerPassed: passed, intradayReturnPct: moved, indexReturn1dPct: index } = inputs;
  if (index !== null && index <= MARKET_BREAKER_PCT) {
    return judged('circuit_breaker', false, () => say('entry.index_falls', { move: percent(index) }));
  }
  if (passed === null || moved === null) return judged('circuit_breaker', null, () => say('entry.no_close'));
  const name = !passed ? 'entry.stock_falls' : moved < 0 ? 'entry.day_down' : 'entry.day_up';
  return judged('circuit_breaker', passed, () => say(name, { move: percent(moved) }));
}

function dataFresh({ asOf, newestBarEnd: end }: GateInputs): EntryGate {
  const passed = asOf - end <= FEED_STALE_MINUTES * MINUTE_MS;
  const age = Math.floor((asOf - end) / MINUTE_MS);
  return judged('data_fresh', passed, () => say(passed ? 'entry.fresh' : 'entry.stale', { age }));
}

function quality({ qualityPassed: passed }: GateInputs): EntryGate {
  if (passed === null) return judged('quality', null, () => say('entry.quality_unknown'));
  return judged('quality', passed, () => say(passed ? 'entry.quality' : 'entry.poor_quality'));
}

/** A size: the sentence has the direction. */
const percent = (value: number): string => `${Math.abs(value).toFixed(2)} %`;
