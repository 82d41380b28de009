import { describe, expect, it } from 'vitest';
import { condition, verdictOf, type When } from '../../../../src/analysis/playbooks/condition.ts';
import { inputsOf, type Told } from './hand-made.ts';

const verdict = (when: When, told: Told) => verdictOf(condition('asked', 'Asked.', when), inputsOf(told));

describe('a condition', () => {
  it.each<[When, Told, Told]>([
    [{ input: 'adx_14', op: '>=', value: 20 }, { adx_14: 20 }, { adx_14: 19.99 }],
    [{ input: 'adx_14', op: '>', value: 20 }, { adx_14: 20.01 }, { adx_14: 20 }],
    [{ input: 'adx_14', op: '<=', value: 20 }, { adx_14: 20 }, { adx_14: 20.01 }],
    [{ input: 'adx_14', op: '<', value: 20 }, { adx_14: 19.99 }, { adx_14: 20 }],
    [{ input: 'narrow_session', op: '=', value: 1 }, { narrow_session: 1 }, { narrow_session: 0 }],
    [
      { input: 'price', op: '>', than: 'ema_20' },
      { price: 10, ema_20: 9 },
      { price: 10, ema_20: 10 },
    ],
    [
      { input: 'ib_range', op: '<=', than: 'atr', times: 0.5 },
      { ib_range: 2, atr: 4 },
      { ib_range: 2.01, atr: 4 },
    ],
    [{ input: 'vwap_atr', between: [0, 0.25] }, { vwap_atr: 0 }, { vwap_atr: -0.01 }],
    [{ input: 'vwap_atr', between: [0, 0.25] }, { vwap_atr: 0.25 }, { vwap_atr: 0.26 }],
    [
      { above: 'session_high', below: 'ib_high', op: '>=', atr: 0.25 },
      { session_high: 11, ib_high: 10, atr: 4 },
      { session_high: 10.9, ib_high: 10, atr: 4 },
    ],
    [
      { apart: ['price', 'ema_20'], op: '<=', atr: 0.5 },
      { price: 8, ema_20: 10, atr: 4 },
      { price: 12.1, ema_20: 10, atr: 4 },
    ],
  ])('%j is met by %o and missed by %o', (when, met, missed) => {
    expect(verdict(when, met)).toBe('met');
    expect(verdict(when, missed)).toBe('missed');
  });

  it('of several asks for all or for any', () => {
    const both: readonly When[] = [
      { input: 'adx_14', op: '>=', value: 20 },
      { input: 'rsi_14', op: '<', value: 60 },
    ];
    expect(verdict({ all: both }, { adx_14: 20, rsi_14: 50 })).toBe('met');
    expect(verdict({ all: both }, { adx_14: 20, rsi_14: 60 })).toBe('missed');
    expect(verdict({ any: both }, { adx_14: 20, rsi_14: 60 })).toBe('met');
    expect(verdict({ any: both }, { adx_14: 19, rsi_14: 60 })).toBe('missed');
  });

  it('is unknown while one of its inputs is, even where the others would decide', () => {
    const either: When = {
      any: [
        { input: 'adx_14', op: '>=', value: 20 },
        { input: 'rsi_14', op: '<', value: 60 },
      ],
    };
    expect(verdict(either, { adx_14: 30 })).toBe('unknown');
    expect(verdict({ above: 'price', below: 'ib_high', op: '>', atr: 0 }, { price: 2, ib_high: 1 })).toBe(
      'unknown',
    );
    expect(verdict({ known: ['orb_low'] }, {})).toBe('unknown');
    expect(verdict({ known: ['orb_low'] }, { orb_low: 1 })).toBe('met');
  });

  it('names what it asks about once each, in the order of the inputs', () => {
    const { inputs } = condition('asked', 'Asked.', {
      all: [
        { apart: ['ema_20', 'price'], op: '<=', atr: 1 },
        { input: 'orb_high', op: '<', than: 'price' },
        { known: ['orb_low'] },
        { any: [{ above: 'session_high', below: 'vwap', op: '>', atr: 0.1 }] },
      ],
    });
    expect(inputs).toEqual(['price', 'vwap', 'orb_high', 'orb_low', 'session_high', 'ema_20', 'atr']);
  });
});
