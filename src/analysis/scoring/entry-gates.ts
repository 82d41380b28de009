import { MINUTE_MS } from '../sessions.ts';
import { FEED_STALE_MINUTES, MARKET_BREAKER_PCT } from './warnings.ts';

type GateStatus = 'passed' | 'failed' | 'unknown';

/** A condition without which no entry is taken, however good its timing. */
export interface EntryGate {
  readonly gate: string;
  readonly status: GateStatus;
  /** A sentence that quotes what it was judged by. */
  readonly reason: string;
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

const judged = (gate: string, passed: boolean | null, reason: string): EntryGate => ({
  gate,
  status: passed === null ? 'unknown' : passed ? 'passed' : 'failed',
  reason,
});

function liquidity({ averageShares: shares }: GateInputs): EntryGate {
  if (shares === null) return judged('liquidity', null, 'Without 30 sessions of volume.');
  const passed = shares >= AVERAGE_SHARES_MIN;
  const side = passed ? 'at least' : 'below';
  return judged('liquidity', passed, `${shares} shares a day, ${side} ${AVERAGE_SHARES_MIN}.`);
}

function notHalted({ halted }: GateInputs): EntryGate {
  return judged('not_halted', !halted, halted ? 'Trading is halted.' : 'No halt is known.');
}

function sessionWindow({ asOf, session: { open, close } }: GateInputs): EntryGate {
  const since = Math.floor((asOf - open) / MINUTE_MS);
  const left = Math.ceil((close - asOf) / MINUTE_MS);
  const passed = asOf >= open + FIRST_MINUTES * MINUTE_MS && asOf < close - LAST_MINUTES * MINUTE_MS;
  return judged('session_window', passed, `${since} minutes since the open, ${left} to the close.`);
}

function circuitBreaker(inputs: GateInputs): EntryGate {
  const { circuitBreakerPassed: passed, intradayReturnPct: moved, indexReturn1dPct: index } = inputs;
  if (index !== null && index <= MARKET_BREAKER_PCT) {
    return judged('circuit_breaker', false, `The index is at ${percent(index)} on the day.`);
  }
  if (passed === null || moved === null) return judged('circuit_breaker', null, 'Without a prior close.');
  return judged('circuit_breaker', passed, `The stock is at ${percent(moved)} on the day.`);
}

function dataFresh({ asOf, newestBarEnd: end }: GateInputs): EntryGate {
  const passed = asOf - end <= FEED_STALE_MINUTES * MINUTE_MS;
  const age = Math.floor((asOf - end) / MINUTE_MS);
  return judged('data_fresh', passed, `The newest bar ended ${age} minutes ago.`);
}

function quality({ qualityPassed: passed }: GateInputs): EntryGate {
  if (passed === null) return judged('quality', null, 'A gate of quality could not be judged.');
  return judged('quality', passed, passed ? 'All gates of quality passed.' : 'A gate of quality failed.');
}

const percent = (value: number): string => `${value.toFixed(2)} %`;
