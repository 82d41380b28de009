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
  it('ends in three states; asking again alone leads out of two of them', () => {
    const ended = RUN_STATES.filter(hasEnded);
    expect(ended).toEqual(['completed', 'failed', 'cancelled']);
    const ways = ended.flatMap((state) =>
      RUN_EVENTS.filter((event) => RUN_TRANSITIONS[state][event] !== null),
    );
    expect(ways).toEqual(['ask', 'ask']);
    expect(RUN_TRANSITIONS.completed.ask).toBeNull();
  });

  it('leads each event to one state, from every state in which it can happen', () => {
    for (const event of RUN_EVENTS) {
      const after = new Set(statesBefore(event).map((state) => RUN_TRANSITIONS[state][event]));
      expect([...after], event).toEqual([stateAfter(event)]);
    }
  });

  it('begins as pending, which only taking and cancelling end', () => {
    expect(RUN_EVENTS.filter((event) => RUN_TRANSITIONS.pending[event] !== null)).toEqual(['take', 'cancel']);
    expect(statesBefore('ask')).toEqual(['failed', 'cancelled']);
    expect(stateAfter('ask')).toBe('pending');
  });

  it('can be taken again while it runs, once its lease has expired', () => {
    expect(statesBefore('take')).toEqual(['pending', 'running']);
    expect(statesBefore('complete')).toEqual(['running']);
  });
});
