import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PatternFinding } from '../../../src/analysis/patterns/finding.ts';
import { PatternHistory } from '../../../src/analysis/patterns/history.ts';
import { detectPatterns, newestFirst } from '../../../src/analysis/patterns/index.ts';
import {
  boundariesAt,
  isBy,
  type LivePattern,
  SERVED_ROWS,
} from '../../../src/analysis/patterns/lifecycle.ts';
import { MINOR_SWING, meanTrueRange, swingPoints } from '../../../src/analysis/patterns/pivots.ts';
import { mapColumns, mapPrices, mirrored, prefix, window } from '../../support/bar-columns.ts';
import { inFull } from '../../support/depth.ts';
import { forAll, wholeBetween } from '../../support/for-all.ts';
import { scanRowByRow } from '../../support/pattern-scan.ts';
import { pathThrough, randomWalk, scaled, type Waypoint } from '../../support/price-paths.ts';
import { numbers } from '../../support/tables.ts';

const walks = fc
  .record({ seed: fc.nat(1_000_000), rows: wholeBetween(30, 220) })
  .map(({ seed, rows }) => randomWalk(seed, rows));

/** Legs up and down by turns, of sizes that often agree: many of the shapes that patterns are made of. */
const structured = fc
  .array(fc.record({ rows: wholeBetween(3, 16), size: wholeBetween(3, 12) }), {
    minLength: 4,
    maxLength: 18,
  })
  .map((legs) => {
    const path: Waypoint[] = numbers`0 100, 16 96`;
    for (const [at, leg] of legs.entries()) {
      const [row, close] = path.at(-1)!;
      path.push([row + leg.rows, Math.max(10, close + (at % 2 === 0 ? leg.size : -leg.size))]);
    }
    return pathThrough(path, 0.25, (row) => 1_000_000 + 250_000 * (row % 7));
  });

const paths = fc.oneof(walks, structured);

/** Type and anchors; candlesticks that overlap may share both extremes, so theirs is the row they end on. */
function identity(finding: PatternFinding, shift = 0): string {
  if (finding.family === 'candlestick') return `${finding.type} ${finding.firstSeenRow + shift}`;
  return `${finding.type} ${finding.pivots.map((pivot) => `${pivot.kind} ${pivot.row + shift}`).join(', ')}`;
}

/** All that may not change once it is confirmed. */
function confirmation(finding: PatternFinding) {
  const { status: _, failedRow: __, failure: ___, targetRow: ____, ...kept } = finding;
  return kept;
}

describe('nothing repaints', () => {
  it('reports a pattern first on its firstSeenRow, and what is confirmed again until it has aged out', () => {
    forAll([paths], { numRuns: inFull(40, 12) }, (bars) => {
      let before = new Map<string, PatternFinding>();
      for (let rows = 1; rows <= bars.close.length; rows++) {
        const last = rows - 1;
        const findings = detectPatterns(prefix(bars, rows));
        const now = new Map(findings.map((finding) => [identity(finding), finding]));
        assert.equal(now.size, findings.length);
        for (const [name, finding] of now) {
          assert.equal(finding.firstSeenRow === last, !before.has(name), name);
        }
        for (const [name, finding] of before) expectKept(name, finding, now.get(name), last);
        before = now;
      }
    });
  });

  function expectKept(name: string, before: PatternFinding, now: PatternFinding | undefined, last: number) {
    if (before.confirmedRow === null) return;
    if (last - before.confirmedRow > SERVED_ROWS[before.family].confirmedRows) {
      assert.equal(now, undefined, name);
      return;
    }
    expect(confirmation(now!), name).toEqual(confirmation(before));
    if (before.failedRow !== null) assert.equal(now?.failedRow, before.failedRow, name);
    if (before.targetRow !== null)
      expect(now, name).toMatchObject({ targetRow: before.targetRow, status: 'confirmed' });
  }

  it('knows each swing only from the row that confirms it', () => {
    forAll([paths, fc.nat()], (bars, cut) => {
      const rows = 1 + (cut % bars.close.length);
      const whole = swingPoints(bars, meanTrueRange(bars), MINOR_SWING);
      const part = prefix(bars, rows);
      expect(swingPoints(part, meanTrueRange(part), MINOR_SWING)).toEqual(
        whole.filter((swing) => swing.confirmedRow < rows),
      );
    });
  });

  it('takes no notice of what comes after', () => {
    forAll([paths, fc.nat()], (bars, cut) => {
      const rows = 1 + (cut % bars.close.length);
      const view = window(bars, 0, rows);
      // A view of the first rows that shares memory with the rest must give what a copy of them gives.
      const shared = mapColumns(bars, (column) => column.subarray(0, rows));
      expect(detectPatterns(shared)).toEqual(detectPatterns(view));
    });
  });
});

describe('what a finding says', () => {
  it('has its rows in order and its pivots known when it was first seen', () => {
    forAll([paths], { numRuns: inFull(400, 100) }, (bars) => {
      for (const finding of detectPatterns(bars)) {
        for (const pivot of finding.pivots) {
          assert(pivot.row <= pivot.confirmedRow);
          assert(pivot.confirmedRow <= finding.firstSeenRow);
          assert.equal(pivot.price, (pivot.kind === 'high' ? bars.high : bars.low)[pivot.row]);
        }
        assert((finding.confirmedRow ?? finding.firstSeenRow) >= finding.firstSeenRow);
        assert((finding.failedRow ?? Infinity) > (finding.confirmedRow ?? finding.firstSeenRow));
        assert(finding.confidence >= 0);
        assert(finding.confidence <= 1);
        assert(finding.height > 0);
      }
    });
  });

  it('has target, trigger, stop and invalidation in the order of its direction', () => {
    forAll([paths], { numRuns: inFull(400, 100) }, (bars) => {
      for (const finding of detectPatterns(bars)) {
        const neverConfirmed = finding.status === 'failed' && finding.confirmedRow === null;
        if (finding.direction === 'neutral' || neverConfirmed) continue;
        const side = finding.direction === 'bullish' ? 1 : -1;
        if (!Number.isNaN(finding.target))
          expect(side * (finding.target - finding.trigger)).toBeGreaterThan(0);
        expect(side * (finding.trigger - finding.stop)).toBeGreaterThan(0);
        expect(side * (finding.stop - finding.invalidation)).toBeGreaterThanOrEqual(0);
      }
    });
  });
});

describe('symmetries', () => {
  it('measures everything in its own unit: four times the price gives four times every price', () => {
    forAll([paths], (bars) => {
      // Four is a power of two, so not a digit is lost.
      const large = detectPatterns(scaled(bars, 4));
      const expected = detectPatterns(bars).map((finding) => ({
        ...finding,
        pivots: finding.pivots.map((pivot) => ({ ...pivot, price: pivot.price * 4 })),
        trigger: finding.trigger * 4,
        triggerLine: timesFour(finding.triggerLine),
        counterTrigger: finding.counterTrigger * 4,
        counterLine: finding.counterLine === null ? null : timesFour(finding.counterLine),
        target: finding.target * 4,
        stop: finding.stop * 4,
        invalidation: finding.invalidation * 4,
        height: finding.height * 4,
      }));
      expect(large).toEqual(expected);
    });
  });

  function timesFour(line: PatternFinding['triggerLine']): PatternFinding['triggerLine'] {
    return { ...line, fromPrice: line.fromPrice * 4, toPrice: line.toPrice * 4 };
  }

  const UPSIDE_DOWN: Readonly<Record<string, string>> = {
    double_top: 'double_bottom',
    double_bottom: 'double_top',
    triple_top: 'triple_bottom',
    triple_bottom: 'triple_top',
    head_and_shoulders: 'inverse_head_and_shoulders',
    inverse_head_and_shoulders: 'head_and_shoulders',
    ascending_triangle: 'descending_triangle',
    descending_triangle: 'ascending_triangle',
    symmetrical_triangle: 'symmetrical_triangle',
    rising_wedge: 'falling_wedge',
    falling_wedge: 'rising_wedge',
    bull_flag: 'bear_flag',
    bear_flag: 'bull_flag',
    bull_pennant: 'bear_pennant',
    bear_pennant: 'bull_pennant',
    rectangle: 'rectangle',
  };

  it('sees tops upside down as bottoms, row for row', () => {
    let seen = 0;
    for (let seed = 0; seed < 150; seed++) {
      // Both far from zero, where no measured move runs out of price.
      const upright = mirrored(mirrored(randomWalk(seed, 300), 2048), 8192);
      const inverted = mirrored(upright, 16384);
      const story = (finding: PatternFinding) =>
        `${finding.pivots.map((pivot) => pivot.row)} ${finding.firstSeenRow} ${finding.confirmedRow} ${finding.failedRow} ${finding.targetRow}`;
      const up = detectPatterns(upright)
        .filter((finding) => finding.type in UPSIDE_DOWN)
        .map((finding) => `${UPSIDE_DOWN[finding.type]} ${story(finding)}`);
      const down = detectPatterns(inverted)
        .filter((finding) => finding.type in UPSIDE_DOWN)
        .map((finding) => `${finding.type} ${story(finding)}`);
      expect(down.sort(), `seed ${seed}`).toEqual(up.sort());
      seen += up.length;
    }
    expect(seen).toBeGreaterThan(100);
  });

  it('does not hang on where the window of history begins', () => {
    let seen = 0;
    for (let seed = 0; seed < 60; seed++) {
      const bars = randomWalk(seed, 600);
      const whole = detectPatterns(bars);
      for (const from of [1, 50, 80]) {
        const later = detectPatterns(window(bars, from, 600));
        expect(
          later.map((finding) => [identity(finding, from), finding.status, finding.trigger, finding.target]),
        ).toEqual(
          whole.map((finding) => [identity(finding), finding.status, finding.trigger, finding.target]),
        );
      }
      seen += whole.length;
    }
    expect(seen).toBeGreaterThan(100);
  });
});

describe('a history of patterns', () => {
  /** Walks on a coarse grid too: equal highs and lows are where two zig-zags part. */
  const onGrid = fc
    .record({ seed: fc.nat(1_000_000), rows: wholeBetween(60, 700), grid: fc.constantFrom(1 / 64, 0.5, 2) })
    .map(({ seed, rows, grid }) =>
      mapPrices(randomWalk(seed, rows), (column) => column.map((price) => Math.round(price / grid) * grid)),
    );

  const asOf = (
    { reading, side, target, invalidation, ...live }: LivePattern,
    first: number,
    row: number,
  ) => {
    const confirmedRow = isBy(live.confirmedRow, row) ? live.confirmedRow - first : null;
    return {
      type: reading.type,
      pivots: reading.pivots.map((pivot) => pivot.row - first),
      firstSeenRow: live.firstSeenRow - first,
      confirmedRow,
      failedRow: isBy(live.failedRow, row) ? live.failedRow - first : null,
      ...(confirmedRow === null ? {} : { direction: side > 0 ? 'bullish' : 'bearish', target, invalidation }),
      ...(isBy(live.failedRow, row)
        ? {}
        : boundariesAt({ reading, side, target, invalidation, ...live }, row)),
    };
  };

  it('has of every window what a scan of that window alone finds', () => {
    let seen = 0;
    forAll(
      [fc.oneof(onGrid, structured), fc.constantFrom(40, 120, 260, 520)],
      { numRuns: inFull(60, 12) },
      (bars, size) => {
        const history = new PatternHistory(bars);
        for (let row = 0; row < bars.close.length; row++) {
          const first = Math.max(0, row - size + 1);
          const found = detectPatterns(window(bars, first, row + 1)).map((finding) => ({
            type: finding.type,
            pivots: finding.pivots.map((pivot) => pivot.row),
            firstSeenRow: finding.firstSeenRow,
            confirmedRow: finding.confirmedRow,
            failedRow: finding.failedRow,
            ...(finding.confirmedRow === null
              ? {}
              : { direction: finding.direction, target: finding.target, invalidation: finding.invalidation }),
            ...(finding.failedRow === null
              ? { trigger: finding.trigger, counterTrigger: finding.counterTrigger }
              : {}),
          }));
          const served = history.servedAt(first, row).sort(newestFirst);
          assert.deepEqual(
            served.map((live) => asOf(live, first, row)),
            found,
            `row ${row}`,
          );
          seen += found.length;
        }
      },
    );
    expect(seen).toBeGreaterThan(1_000);
  });

  it('opens what a walk row by row opens', () => {
    let seen = 0;
    forAll([fc.oneof(onGrid, structured)], { numRuns: inFull(200, 40) }, (bars) => {
      const last = bars.close.length - 1;
      const charts = new PatternHistory(bars).servedAt(0, last).filter(({ family }) => family === 'chart');
      expect(charts).toEqual(scanRowByRow(bars));
      seen += charts.length;
    });
    expect(seen).toBeGreaterThan(20);
  });
});
