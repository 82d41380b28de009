import { describe, expect, it } from 'vitest';
import type { WarningInputs } from '../../../../src/analysis/scoring/warnings.ts';
import { scoreWarnings, warningsOfOldSession } from '../../../../src/analysis/scoring/warnings.ts';

const MINUTE = 60_000;
const OPEN = 1_000_000 * MINUTE;
const CLOSE = OPEN + 390 * MINUTE;
const PRIOR_CLOSE = OPEN - 1050 * MINUTE;

const warned = (parts: Partial<WarningInputs>) =>
  scoreWarnings({
    intradayReturnPct: 0,
    indexReturn1dPct: 0,
    extremeRsi: false,
    newestBarEnd: OPEN + 120 * MINUTE,
    asOf: OPEN + 120 * MINUTE,
    session: { open: OPEN, close: CLOSE },
    priorSession: { close: PRIOR_CLOSE },
    firstBarStart: OPEN,
    intradayWhole: true,
    incompleteAfter: null,
    isPart: false,
    convictionFresh: true,
    ...parts,
  });

describe('scoreWarnings', () => {
  it('has nothing to say of a fresh score on a calm day', () => {
    expect(warned({})).toEqual([]);
    expect(
      warned({
        intradayReturnPct: null,
        indexReturn1dPct: null,
        newestBarEnd: null,
        firstBarStart: null,
        intradayWhole: false,
        convictionFresh: null,
      }),
    ).toEqual([]);
  });

  it('warns of a session that is over and known only in part', () => {
    expect(warned({ incompleteAfter: OPEN + 65 * MINUTE })).toEqual(['session_incomplete']);
  });

  it('warns of a session of one exchange', () => {
    expect(warned({ isPart: true })).toEqual(['one_exchange']);
  });

  it('warns of a decline of 5 % and more, which also trips the breaker', () => {
    expect(warned({ intradayReturnPct: -5 })).toEqual(['intraday_decline_severe', 'circuit_breaker_active']);
    expect(warned({ intradayReturnPct: -4.999 })).toEqual([]);
    expect(warned({ intradayReturnPct: 12 })).toEqual([]);
  });

  it('warns of a market that is halted by its index', () => {
    expect(warned({ indexReturn1dPct: -7 })).toEqual(['circuit_breaker_active']);
    expect(warned({ indexReturn1dPct: -6.999 })).toEqual([]);
  });

  it('warns of an extreme RSI and of a stale conviction', () => {
    expect(warned({ extremeRsi: true, convictionFresh: false })).toEqual(['extreme_rsi', 'conviction_stale']);
  });

  it.each([
    ['in the session', OPEN + 120 * MINUTE, OPEN + 90 * MINUTE, ['feed_stale']],
    ['in the session', OPEN + 120 * MINUTE, OPEN + 90 * MINUTE - 1, ['score_stale', 'feed_stale']],
    ['in the first half hour yesterday will do', OPEN + 30 * MINUTE - 1, PRIOR_CLOSE, ['feed_stale']],
    ['from then on it does not', OPEN + 30 * MINUTE, PRIOR_CLOSE, ['score_stale', 'feed_stale']],
    ['after the close', CLOSE + 200 * MINUTE, CLOSE - 30 * MINUTE, []],
    ['after the close', CLOSE + 200 * MINUTE, CLOSE - 30 * MINUTE - 1, ['score_stale']],
    ['before the open', OPEN - 60 * MINUTE, PRIOR_CLOSE - 30 * MINUTE - 1, ['score_stale']],
  ])('%s: as of %d the newest bar of %d', (_, asOf, newestBarEnd, expected) => {
    expect(warned({ asOf, newestBarEnd })).toEqual(expected);
  });

  it.each([
    ['five minutes old', OPEN + 60 * MINUTE, OPEN + 55 * MINUTE, []],
    ['older', OPEN + 60 * MINUTE, OPEN + 55 * MINUTE - 1, ['feed_stale']],
    ['in the first five minutes', OPEN + 5 * MINUTE - 1, OPEN - 20 * MINUTE, []],
    ['from then on', OPEN + 5 * MINUTE, OPEN - 1, ['feed_stale']],
    ['in the last moment', CLOSE - 1, CLOSE - 6 * MINUTE, ['feed_stale']],
    ['at the close no more', CLOSE, CLOSE - 6 * MINUTE, []],
    ['before the open', OPEN - 1, PRIOR_CLOSE, []],
  ])('knows a feed that has stopped: %s', (_, asOf, newestBarEnd, expected) => {
    expect(warned({ asOf, newestBarEnd })).toEqual(expected);
  });

  it('knows a part of a session', () => {
    expect(warned({ intradayWhole: false })).toEqual(['session_partial']);
    expect(warned({ firstBarStart: OPEN + 30 * MINUTE })).toEqual([]);
    expect(warned({ firstBarStart: OPEN + 30 * MINUTE + 1 })).toEqual(['session_partial']);
    expect(warned({ firstBarStart: null, intradayWhole: false })).toEqual([]);
  });
});

describe('warningsOfOldSession', () => {
  it('warns of old scores in the order of the others, once', () => {
    expect(warningsOfOldSession([])).toEqual(['score_stale', 'conviction_stale']);
    expect(
      warningsOfOldSession([
        'extreme_rsi',
        'conviction_stale',
        'session_partial',
        'beta_gate_not_applicable',
      ]),
    ).toEqual([
      'extreme_rsi',
      'score_stale',
      'conviction_stale',
      'session_partial',
      'beta_gate_not_applicable',
    ]);
  });
});
