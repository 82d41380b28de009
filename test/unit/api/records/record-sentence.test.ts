import { expect, it } from 'vitest';
import type { WireRecord } from '../../../../src/api/records/load-records.ts';
import { bestSentence, recordSentence } from '../../../../src/api/records/record-sentence.ts';
import { CLAIM_KINDS } from '../../../../src/records/index.ts';

const COUNTS = { n: 412, dates: 187, true: 203, undecided: 29, gap: 2, gone: 0, ambiguous: 0, controls: 900 };
const SHARES = { rate: 0.4927, low: 0.43, high: 0.56, chance: 0.47 };
const RECORD: WireRecord = {
  id: 'level.prior_day',
  kind: 'level',
  key: 'prior_day',
  regime: null,
  horizon_sessions: 0,
  ...COUNTS,
  ...SHARES,
  edge: 0.03,
  edge_low: -0.02,
  edge_high: 0.08,
  correlation: null,
  correlation_low: null,
  correlation_high: null,
  mean_r: null,
  mean_r_low: null,
  mean_r_high: null,
  chance_r: null,
  reliability: null,
  shared_with: [],
  tested: 14,
  q: 0.3,
  verdict: 'no_edge_shown',
  simulated: false,
  formula_version: 3,
  released_at: '2026-06-02',
  since: { ...COUNTS, ...SHARES, n: 96 },
};

it('says a record with counts, interval, chance and verdict', () => {
  expect(recordSentence(RECORD)).toBe(
    'Prior-day levels held 203 of 412 touches (49 %, 43 to 56) on 187 dates. Chance 47 %. No edge shown (-2 to +8 points). 31 undecided. 1 of 14 tested. Formula 3, unchanged since 2026-06-02: 96 of these since.',
  );
});

it('says which other families stand at the same prices', () => {
  const shared: WireRecord['shared_with'] = [
    { key: 'prior_day', share: 0.314 },
    { key: 'vwap', share: 0.25 },
    { key: 'opening', share: 0.22 },
    { key: 'pivot', share: 0.21 },
  ];
  expect(recordSentence({ ...RECORD, shared_with: shared })).toContain(
    '(-2 to +8 points). Touches of other families too: prior-day 31 %, VWAP 25 %, opening-range 22 %, pivot 21 %. 31 undecided.',
  );
});

it('counts from the first event, and says on the same line that data is simulated', () => {
  const none = { rate: null, low: null, high: null, chance: null, edge_low: null, edge_high: null };
  expect(
    recordSentence({
      ...RECORD,
      ...none,
      kind: 'pattern',
      key: 'double_top',
      horizon_sessions: 20,
      n: 11,
      true: 7,
      dates: 6,
      verdict: 'too_few',
      simulated: true,
    }),
  ).toBe(
    'Double top patterns reached their target 7 of 11 within 20 sessions: too few, 11 events on 6 dates; a rate takes 20 on 10 dates and 100 controls. SIMULATED data: no evidence about any market.',
  );
});

it('says what the trades of a playbook came to', () => {
  const trades = { kind: 'playbook', key: 'vwap_touch_long', mean_r: -0.031, chance_r: 0.004 } as const;
  expect(recordSentence({ ...RECORD, ...trades })).toContain(
    'Trades of VWAP touch long made money after costs in 203 of 412 (49 %, 43 to 56) on 187 dates. Chance 47 %. Mean -0.03 R, chance +0.00 R.',
  );
});

it('says for which trade expirations were recommended', () => {
  const sentence = recordSentence({
    ...RECORD,
    kind: 'expiration',
    key: 'swing.bullish',
    horizon_sessions: 5,
  });
  expect(sentence).toMatch(
    /^Recommended expirations for a bullish swing trade beat what their premium asked 203 of 412 within 5 sessions \(49 %/,
  );
});

it('never says that something works', () => {
  for (const kind of CLAIM_KINDS)
    expect(recordSentence({ ...RECORD, kind })).not.toMatch(/works|win rate|probability/i);
});

it('names the best of many with how often the best of as many without an edge looks as good', () => {
  const best = {
    kind: 'level',
    key: 'round_number',
    edge: 0.021,
    p: 0.34,
    of: 11,
    simulated: false,
  } as const;
  expect(bestSentence(best)).toBe(
    'Of 11 kinds of levels tested the best is round-number levels, +2 points over chance; by luck alone the best looks as good 34 times in 100.',
  );
  const score = { ...best, kind: 'score', key: 'momentum_blend.5d', edge: 0.0149, p: 0.004, of: 27 } as const;
  expect(bestSentence({ ...score, simulated: true })).toBe(
    'Of 27 scores tested the best is momentum blend over 5 sessions, +1 point over chance; by luck alone the best looks as good less than once in 100. SIMULATED data: no evidence about any market.',
  );
  expect(bestSentence({ ...best, edge: 0.01, p: 1 })).toBe(
    'Of 11 kinds of levels tested none was a point better than chance.',
  );
});
