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
    const unknown = {
      intradayReturnPct: null,
      indexReturn1dPct: null,
      newestBarEnd: null,
      firstBarStart: null,
    };
    expect(warned({ ...unknown, intradayWhole: false, convictionFresh: null })).toEqual([]);
  });

  it.each<[parts: Partial<WarningInputs>, warnings: string]>([
    [{ incompleteAfter: OPEN + 65 * MINUTE }, 'session_incomplete'],
    [{ isPart: true }, 'one_exchange'],
    // A decline of 5 % and more also trips the breaker.
    [{ intradayReturnPct: -5 }, 'intraday_decline_severe circuit_breaker_active'],
    [{ intradayReturnPct: -4.999 }, ''],
    [{ intradayReturnPct: 12 }, ''],
    // A market that is halted by its index.
    [{ indexReturn1dPct: -7 }, 'circuit_breaker_active'],
    [{ indexReturn1dPct: -6.999 }, ''],
    [{ extremeRsi: true, convictionFresh: false }, 'extreme_rsi conviction_stale'],
    [{ intradayWhole: false }, 'session_partial'],
    [{ firstBarStart: OPEN + 30 * MINUTE }, ''],
    [{ firstBarStart: OPEN + 30 * MINUTE + 1 }, 'session_partial'],
    [{ firstBarStart: null, intradayWhole: false }, ''],
  ])('of %j warns %s', (parts, warnings) => {
    expect(warned(parts).join(' ')).toBe(warnings);
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
});

describe('warningsOfOldSession', () => {
  it('warns of old scores in the order of the others, once', () => {
    expect(warningsOfOldSession([])).toEqual(['score_stale', 'conviction_stale']);
    const own = ['extreme_rsi', 'conviction_stale', 'session_partial', 'beta_gate_not_applicable'] as const;
    expect(warningsOfOldSession([...own])).toEqual(own.toSpliced(1, 0, 'score_stale' as 'extreme_rsi'));
  });
});
