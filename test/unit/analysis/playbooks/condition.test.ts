import { describe, expect, it } from 'vitest';
import { all, any, known } from '../../../../src/analysis/conditions.ts';
import { withInputs } from '../../../../src/analysis/playbooks/condition.ts';

describe('a condition of a playbook', () => {
  it('names what it reads once each, in the order of the inputs', () => {
    const { inputs } = withInputs({
      name: 'asked',
      meaning: 'Asked.',
      when: all(
        [['ema_20', '-', 'price'], '<=', [2, 'atr']],
        ['orb_high', '<', 'price'],
        known('orb_low'),
        any([['session_high', '-', 'vwap'], '>', [0.1, 'atr']]),
      ),
    });
    expect(inputs).toEqual(['price', 'vwap', 'orb_high', 'orb_low', 'session_high', 'ema_20', 'atr']);
  });
});
