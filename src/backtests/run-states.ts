/** States and events of an optimisation run. */

export const RUN_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const RUN_EVENTS = ['take', 'advance', 'complete', 'fail', 'cancel'] as const;
/** `take`: a process leases the run, also from one that died; `advance`: it makes progress. */
export type RunEvent = (typeof RUN_EVENTS)[number];

/** The state after an event; null where the event cannot happen. */
export const RUN_TRANSITIONS: Readonly<Record<RunState, Readonly<Record<RunEvent, RunState | null>>>> = {
  pending: { take: 'running', advance: null, complete: null, fail: null, cancel: 'cancelled' },
  running: {
    take: 'running',
    advance: 'running',
    complete: 'completed',
    fail: 'failed',
    cancel: 'cancelled',
  },
  completed: { take: null, advance: null, complete: null, fail: null, cancel: null },
  failed: { take: null, advance: null, complete: null, fail: null, cancel: null },
  cancelled: { take: null, advance: null, complete: null, fail: null, cancel: null },
};

export const statesBefore = (event: RunEvent): readonly RunState[] =>
  RUN_STATES.filter((state) => RUN_TRANSITIONS[state][event] !== null);

export function stateAfter(event: RunEvent): RunState {
  const [state] = statesBefore(event).map((before) => RUN_TRANSITIONS[before][event]!);
  return state!;
}

export const hasEnded = (state: RunState): boolean =>
  RUN_EVENTS.every((event) => RUN_TRANSITIONS[state][event] === null);
