/** The life of an optimisation run, whole: what may happen in which state, and what comes of it. */

export const RUN_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const RUN_EVENTS = ['take', 'advance', 'complete', 'fail', 'cancel'] as const;
/**
 * `take`: a process begins to carry the run, or takes it up from one that has died; `advance`: it has come further;
 * `complete`, `fail`: it is over; `cancel`: the caller does not want it any more.
 */
export type RunEvent = (typeof RUN_EVENTS)[number];

/** The state that an event leads to; null where it cannot happen. */
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

/** The states in which an event can happen, for the statement that lets it happen. */
export const statesBefore = (event: RunEvent): readonly RunState[] =>
  RUN_STATES.filter((state) => RUN_TRANSITIONS[state][event] !== null);

/** The one state that an event leads to, whatever the run comes from. */
export function stateAfter(event: RunEvent): RunState {
  const [state] = statesBefore(event).map((before) => RUN_TRANSITIONS[before][event]!);
  return state!;
}

/** True for a state that nothing leads out of. */
export const isOver = (state: RunState): boolean =>
  RUN_EVENTS.every((event) => RUN_TRANSITIONS[state][event] === null);
