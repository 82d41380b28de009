/** States and events of an optimisation run. */

export const RUN_STATES = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type RunState = (typeof RUN_STATES)[number];

export const RUN_EVENTS = ['ask', 'take', 'advance', 'complete', 'fail', 'cancel'] as const;
/** `ask`: the same question is asked again; `take`: a process leases the run, also from one that died; `advance`: it makes progress. */
export type RunEvent = (typeof RUN_EVENTS)[number];

/** The state after an event; null where the event cannot happen. */
export const RUN_TRANSITIONS: Readonly<Record<RunState, Readonly<Record<RunEvent, RunState | null>>>> = {
  pending: { ask: null, take: 'running', advance: null, complete: null, fail: null, cancel: 'cancelled' },
  running: {
    ask: null,
    take: 'running',
    advance: 'running',
    complete: 'completed',
    fail: 'failed',
    cancel: 'cancelled',
  },
  completed: { ask: null, take: null, advance: null, complete: null, fail: null, cancel: null },
  failed: { ask: 'pending', take: null, advance: null, complete: null, fail: null, cancel: null },
  cancelled: { ask: 'pending', take: null, advance: null, complete: null, fail: null, cancel: null },
};

export const statesBefore = (event: RunEvent): readonly RunState[] =>
  RUN_STATES.filter((state) => RUN_TRANSITIONS[state][event] !== null);

export function stateAfter(event: RunEvent): RunState {
  const [state] = statesBefore(event).map((before) => RUN_TRANSITIONS[before][event]!);
  return state!;
}

/** Nothing more happens to the run unless it is asked for again. */
export const hasEnded = (state: RunState): boolean =>
  RUN_EVENTS.every((event) => event === 'ask' || RUN_TRANSITIONS[state][event] === null);
