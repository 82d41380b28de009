import { describe, expect, it } from 'vitest';
import {
  hasEnded,
  RUN_EVENTS,
  RUN_STATES,
  RUN_TRANSITIONS,
  stateAfter,
  statesBefore,
} from '../../../src/backtests/run-states.ts';

describe('the life of a run', () => {
  it('ends in three states, and nothing leads out of them', () => {
    expect(RUN_STATES.filter(hasEnded)).toEqual(['completed', 'failed', 'cancelled']);
  });

  it('leads each event to one state, from every state in which it can happen', () => {
    for (const event of RUN_EVENTS) {
      const after = new Set(statesBefore(event).map((state) => RUN_TRANSITIONS[state][event]));
      expect([...after], event).toEqual([stateAfter(event)]);
    }
  });

  it('begins as pending, which only taking and cancelling end', () => {
    expect(RUN_EVENTS.filter((event) => RUN_TRANSITIONS.pending[event] !== null)).toEqual(['take', 'cancel']);
    expect(
      RUN_STATES.every((state) => Object.values(RUN_TRANSITIONS[state]).every((to) => to !== 'pending')),
    ).toBe(true);
  });

  it('can be taken again while it runs, once its lease has expired', () => {
    expect(statesBefore('take')).toEqual(['pending', 'running']);
    expect(statesBefore('complete')).toEqual(['running']);
  });
});
