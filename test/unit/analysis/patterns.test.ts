import { describe, expect, it } from 'vitest';
import type { PatternFinding, PatternType } from '../../../src/analysis/patterns/finding.ts';
import { detectPatterns } from '../../../src/analysis/patterns/index.ts';
import { SERVED_ROWS } from '../../../src/analysis/patterns/lifecycle.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { mirrored, prefix } from '../../support/bar-columns.ts';
import { pathThrough, type Waypoint } from '../../support/price-paths.ts';
import { numbers } from '../../support/tables.ts';

// Paths run a dollar a row with shadows of 0.25 unless their waypoints say otherwise: true range 1.5, so a small swing
// takes 2.25 dollars and a peak at close 100 has its high at 100.25.

function find(bars: BarColumns, type: PatternType): PatternFinding | undefined {
  return detectPatterns(bars).find((finding) => finding.type === type);
}

function pivotsOf(finding: PatternFinding | undefined): [number, number][] | undefined {
  return finding?.pivots.map((pivot) => [pivot.row, pivot.price]);
}

const DOUBLE_TOP: Waypoint[] = numbers`0 90, 20 80, 40 100, 50 90, 60 100, 75 85`;

describe('double and triple tops and bottoms', () => {
  it('finds a double top, measured from the valley', () => {
    const finding = find(pathThrough(DOUBLE_TOP), 'double_top');
    expect(pivotsOf(finding)).toEqual(numbers`40 100.25, 50 89.75, 60 100.25`);
    // Seen two rows after the second peak (low 97.75 is 2.5 below it); 89 on row 71 is the first close below 89.75.
    // Height 100.25 - 89.75 = 10.5; target 89.75 - 10.5 = 79.25.
    expect(finding).toMatchObject({
      family: 'chart',
      direction: 'bearish',
      status: 'confirmed',
      trigger: 89.75,
      target: 79.25,
      stop: 100.25,
      invalidation: 100.25,
      height: 10.5,
      firstSeenRow: 62,
      confirmedRow: 71,
      failedRow: null,
      targetRow: null,
    });
  });

  it('calls it forming before the valley breaks', () => {
    expect(find(prefix(pathThrough(DOUBLE_TOP), 71), 'double_top')).toMatchObject({
      status: 'forming',
      confirmedRow: null,
      trigger: 89.75,
    });
    expect(find(prefix(pathThrough(DOUBLE_TOP), 62), 'double_top')).toBeUndefined();
  });

  it('is no double top when the second peak is a third of the height higher', () => {
    const path = DOUBLE_TOP.map(([row, close]): Waypoint => (row === 60 ? [63, 103] : [row, close]));
    expect(find(pathThrough(path), 'double_top')).toBeUndefined();
  });

  it('is no double top without an advance into it', () => {
    // The path comes down from 110 and its low before the first peak is that of the valley.
    const path: Waypoint[] = numbers`0 110, 20 90, 40 100, 50 90, 60 100, 75 85`;
    expect(find(pathThrough(path), 'double_top')).toBeUndefined();
  });

  it('finds the double bottom in the same path upside down', () => {
    expect(find(mirrored(pathThrough(DOUBLE_TOP), 200), 'double_bottom')).toMatchObject({
      direction: 'bullish',
      status: 'confirmed',
      trigger: 110.25,
      target: 120.75,
      stop: 99.75,
    });
  });

  const TRIPLE_TOP: Waypoint[] = numbers`0 90, 20 80, 40 100, 50 90, 60 100, 70 91, 80 100, 92 88`;

  it('finds a triple top under the deeper valley, in the place of the double top', () => {
    const bars = pathThrough(TRIPLE_TOP);
    // The deeper valley is 90 - 0.25; row 90 closes at 90, row 91 at 89.
    expect(find(bars, 'triple_top')).toMatchObject({
      status: 'confirmed',
      trigger: 89.75,
      target: 79.25,
      confirmedRow: 91,
    });
    expect(find(prefix(bars, 70), 'double_top')).toMatchObject({ status: 'forming' });
    expect(find(bars, 'double_top')).toBeUndefined();
  });

  it('is no triple top when the third peak stops half way', () => {
    const path = TRIPLE_TOP.map(([row, close]): Waypoint => (row === 80 ? [80, 95] : [row, close]));
    expect(find(pathThrough(path), 'triple_top')).toBeUndefined();
  });
});

describe('head and shoulders', () => {
  const LEVEL: Waypoint[] = numbers`0 90, 20 70, 40 90, 50 80, 65 95, 80 80, 90 90, 103 77`;

  it('measures the head from a level neckline', () => {
    // Head 95.25 over the neckline 79.75: 15.5; target 64.25. Row 101 closes at 79.
    expect(find(pathThrough(LEVEL), 'head_and_shoulders')).toMatchObject({
      direction: 'bearish',
      status: 'confirmed',
      trigger: 79.75,
      height: 15.5,
      target: 64.25,
      stop: 90.25,
      invalidation: 95.25,
      firstSeenRow: 92,
      confirmedRow: 101,
    });
  });

  it('follows a sloping neckline and freezes it when it breaks', () => {
    const path = LEVEL.map(([row, close]): Waypoint => (row === 80 ? [80, 82] : [row, close]));
    const bars = pathThrough(path);
    const finding = find(bars, 'head_and_shoulders');
    // Neckline from (50, 79.75) to (80, 81.75), 2/30 a row. At the head, row 65: 80.75, so the height is 14.5.
    // Row 97 closes at 83 above 82.88, row 98 at 82 below 79.75 + 48 x 2/30 = 82.95. Target 82.95 - 14.5 = 68.45.
    expect(finding).toMatchObject({ confirmedRow: 98, status: 'confirmed' });
    expect(finding?.triggerLine).toEqual({ fromRow: 50, fromPrice: 79.75, toRow: 80, toPrice: 81.75 });
    expect(finding?.trigger).toBeCloseTo(82.95, 10);
    expect(finding?.height).toBeCloseTo(14.5, 10);
    expect(finding?.target).toBeCloseTo(68.45, 10);
    // Forming on row 93 it quotes that row's neckline: 79.75 + 43 x 2/30.
    expect(find(prefix(bars, 94), 'head_and_shoulders')?.trigger).toBeCloseTo(79.75 + 86 / 30, 10);
  });

  it('finds the inverse in the same path upside down', () => {
    expect(find(mirrored(pathThrough(LEVEL), 200), 'inverse_head_and_shoulders')).toMatchObject({
      direction: 'bullish',
      trigger: 120.25,
      target: 135.75,
      stop: 109.75,
      invalidation: 104.75,
    });
  });

  it('is none when the head hardly tops the shoulders', () => {
    const path: Waypoint[] = numbers`0 90, 20 70, 40 90, 50 80, 62 92, 74 80, 84 90, 97 77`;
    expect(find(pathThrough(path), 'head_and_shoulders')).toBeUndefined();
  });
});

describe('triangles, wedges, rectangles', () => {
  const ASCENDING: Waypoint[] = numbers`0 60, 40 100, 50 90, 60 100, 67 93, 74 100, 78 96, 86 104`;

  it('finds an ascending triangle under a flat top', () => {
    const finding = find(pathThrough(ASCENDING), 'ascending_triangle');
    // Lower line through (50, 89.75) and (67, 92.75): 3/17 a row, so 89.75 - 30/17 at the first touch on row 40 and a
    // width of 10.5 + 30/17 there. Row 83 closes at 101, the first above 100.25.
    expect(finding).toMatchObject({ direction: 'bullish', status: 'confirmed', confirmedRow: 83 });
    expect(finding?.trigger).toBeCloseTo(100.25, 10);
    expect(finding?.height).toBeCloseTo(10.5 + 30 / 17, 10);
    expect(finding?.target).toBeCloseTo(110.75 + 30 / 17, 10);
    // Of the last low (92.75) and the line on row 83 (89.75 + 99/17) the higher is the stop, the lower the end of it.
    expect(finding?.stop).toBeCloseTo(89.75 + 99 / 17, 10);
    expect(finding?.invalidation).toBe(92.75);
  });

  it('finds the descending one upside down', () => {
    expect(find(mirrored(pathThrough(ASCENDING), 200), 'descending_triangle')).toMatchObject({
      direction: 'bearish',
      status: 'confirmed',
      confirmedRow: 83,
    });
  });

  it('is none when the second low is as deep as the first', () => {
    const path: Waypoint[] = numbers`0 60, 40 100, 50 90, 60 100, 70 90, 80 100, 84 96, 92 104`;
    expect(find(pathThrough(path), 'ascending_triangle')).toBeUndefined();
  });

  // Highs 105.25, 101.25 and lows 84.75, 90.75, 93.75: both sides close in on each other.
  const SYMMETRICAL: Waypoint[] = numbers`0 100, 20 85, 40 105, 54 91, 64 101, 71 94`;

  it('keeps a symmetrical triangle neutral until a close leaves it, and takes that side', () => {
    const forming = find(pathThrough([...SYMMETRICAL, [74, 97]]), 'symmetrical_triangle');
    expect(forming).toMatchObject({ direction: 'neutral', status: 'forming', target: Number.NaN });
    // The upper line falls 4 in 24 rows from (40, 105.25): on row 74 it is at 105.25 - 34/6.
    expect(forming?.trigger).toBeCloseTo(105.25 - 34 / 6, 10);
    expect(forming?.counterTrigger).toBeLessThan(97);
    const up = find(pathThrough([...SYMMETRICAL, [80, 103]]), 'symmetrical_triangle');
    expect(up).toMatchObject({ direction: 'bullish', status: 'confirmed' });
    expect(up?.target).toBeCloseTo((up?.trigger ?? 0) + (up?.height ?? 0), 10);
    const down = find(pathThrough([...SYMMETRICAL, [74, 97], [84, 87]]), 'symmetrical_triangle');
    expect(down).toMatchObject({ direction: 'bearish', status: 'confirmed' });
    expect(down?.target).toBeCloseTo((down?.trigger ?? 0) - (down?.height ?? 0), 10);
    expect(down?.trigger).toBeLessThan(down?.counterTrigger ?? 0);
  });

  it('is none when the lines run apart', () => {
    const path: Waypoint[] = numbers`0 95, 20 91, 30 101, 40 89, 54 103, 72 85, 77 90`;
    expect(find(pathThrough(path), 'symmetrical_triangle')).toBeUndefined();
  });

  const RISING_WEDGE: Waypoint[] = numbers`0 110, 20 90, 34 104, 44 94, 56 106, 64 98, 70 104, 86 88`;

  it('finds a rising wedge and expects it to give back all of itself', () => {
    // Highs rise 2 in 22 rows, lows 8 in 44: the lower line is the steeper. The first low, 89.75, is the target.
    expect(find(pathThrough(RISING_WEDGE), 'rising_wedge')).toMatchObject({
      direction: 'bearish',
      status: 'confirmed',
      target: 89.75,
    });
    expect(find(mirrored(pathThrough(RISING_WEDGE), 200), 'falling_wedge')).toMatchObject({
      direction: 'bullish',
      status: 'confirmed',
      target: 110.25,
    });
  });

  it('is no wedge when the channel keeps its width', () => {
    const path: Waypoint[] = numbers`0 110, 20 90, 34 104, 44 94, 58 108, 68 98, 74 104, 90 88`;
    expect(find(pathThrough(path), 'rising_wedge')).toBeUndefined();
  });

  const RECTANGLE: Waypoint[] = numbers`0 80, 20 80, 40 100, 50 90, 60 100, 70 90, 80 100, 90 90`;

  it('finds a rectangle and lets the first close outside pick the side', () => {
    expect(find(pathThrough([...RECTANGLE, [98, 98]]), 'rectangle')).toMatchObject({
      direction: 'neutral',
      status: 'forming',
      trigger: 100.25,
      counterTrigger: 89.75,
    });
    expect(find(pathThrough([...RECTANGLE, [104, 104]]), 'rectangle')).toMatchObject({
      direction: 'bullish',
      status: 'confirmed',
      confirmedRow: 101,
      trigger: 100.25,
      target: 110.75,
      stop: 89.75,
      invalidation: 89.75,
    });
  });

  it('is no rectangle when the top slopes', () => {
    const path = RECTANGLE.map(
      ([row, close]): Waypoint => (row === 60 ? [60, 103] : row === 80 ? [80, 106] : [row, close]),
    );
    expect(find(pathThrough([...path, [98, 98]]), 'rectangle')).toBeUndefined();
  });
});

describe('flags and pennants', () => {
  // Twenty still rows (true range 0.5), then 14 dollars in 7 rows.
  const POLE: Waypoint[] = numbers`0 100, 20 100, 27 114`;

  it('finds a bull flag and adds the pole to the breakout', () => {
    const finding = find(pathThrough([...POLE, [33, 111], [34, 110.5], [37, 116]]), 'bull_flag');
    // Highs of the flag fall half a dollar a row from 114.25 on row 28: 110.75 on row 35, when the close is 112.33.
    // Pole 114.25 - 99.75 = 14.5; the flag's low is 110.25; half of the pole is given back below 107.
    expect(finding).toMatchObject({
      direction: 'bullish',
      status: 'confirmed',
      firstSeenRow: 32,
      confirmedRow: 35,
      stop: 110.25,
      height: 14.5,
      invalidation: 107,
    });
    expect(finding?.trigger).toBeCloseTo(110.75, 10);
    expect(finding?.target).toBeCloseTo(125.25, 10);
  });

  it('finds the bear flag upside down', () => {
    const bars = mirrored(pathThrough([...POLE, [33, 111], [34, 110.5], [37, 116]]), 200);
    expect(find(bars, 'bear_flag')).toMatchObject({ direction: 'bearish', confirmedRow: 35, stop: 89.75 });
  });

  it('is no flag when more than half of the pole is given back', () => {
    const types = detectPatterns(pathThrough([...POLE, [33, 105], [37, 116]])).map((finding) => finding.type);
    expect(types).not.toContain('bull_flag');
    expect(types).not.toContain('bull_pennant');
  });

  const PENNANT: Waypoint[] = [
    ...POLE,
    [28, 112],
    [29, 113.5],
    [30, 112.3],
    [31, 113.2],
    [32, 112.6],
    [33, 113],
    [36, 118],
  ];

  it('finds a pennant where the lines converge', () => {
    expect(find(pathThrough(PENNANT), 'bull_pennant')).toMatchObject({ status: 'confirmed', height: 14.5 });
    expect(find(pathThrough(PENNANT), 'bull_flag')).toBeUndefined();
    expect(find(mirrored(pathThrough(PENNANT), 200), 'bear_pennant')).toMatchObject({ status: 'confirmed' });
  });
});

describe('cup and handle', () => {
  const CUP: Waypoint[] = numbers`0 65, 10 60, 60 100, 70 88, 85 80, 105 80, 118 88, 130 100, 138 95, 147 104`;

  it('buys the right rim, with the handle for a stop', () => {
    // Rims 100.25, bottom 79.75: depth 20.5, target 120.75, lower half below 90. Handle low 95 - 0.25.
    // The handle is five rows long on row 135; 101 on row 144 is the first close above the rim.
    expect(find(pathThrough(CUP), 'cup_and_handle')).toMatchObject({
      direction: 'bullish',
      status: 'confirmed',
      trigger: 100.25,
      height: 20.5,
      target: 120.75,
      stop: 94.75,
      invalidation: 90,
      firstSeenRow: 135,
      confirmedRow: 144,
    });
  });

  it('is none when the cup is a V', () => {
    const path: Waypoint[] = numbers`0 65, 10 60, 60 100, 95 80, 130 100, 138 95, 147 104`;
    expect(find(pathThrough(path), 'cup_and_handle')).toBeUndefined();
  });

  it('is none when the handle drops into the lower half', () => {
    const path = CUP.map(([row, close]): Waypoint => (row === 138 ? [134, 87] : [row, close]));
    expect(find(pathThrough(path), 'cup_and_handle')).toBeUndefined();
  });
});

describe('volatility contraction', () => {
  // Declines from 100.25 to 79.75 (20.4 %), 99.25 to 89.75 (9.6 %) and 99.25 to 94.75 (4.5 %) in a rising market.
  const VCP: Waypoint[] = numbers`0 40, 150 100, 165 80, 180 99, 188 90, 197 99, 201 95, 208 103`;

  it('finds three contractions and buys the last high', () => {
    const finding = find(pathThrough(VCP), 'volatility_contraction');
    expect(finding?.pivots).toHaveLength(6);
    // Row 205 closes at 99.57, the first above 99.25; the first contraction measures 20.5.
    expect(finding).toMatchObject({
      direction: 'bullish',
      status: 'confirmed',
      trigger: 99.25,
      target: 119.75,
      stop: 94.75,
      confirmedRow: 205,
    });
  });

  it('is none when the second decline is the deeper', () => {
    const path: Waypoint[] = numbers`0 40, 150 100, 160 90, 170 99, 183 84, 197 103`;
    expect(find(pathThrough(path), 'volatility_contraction')).toBeUndefined();
  });

  it('is none in a falling market', () => {
    const path = VCP.map(([row, close]): Waypoint => (row === 0 ? [0, 160] : [row, close]));
    expect(find(pathThrough(path), 'volatility_contraction')).toBeUndefined();
  });
});

describe('the life of a pattern', () => {
  it('fails a forming one on a close beyond its invalidation and drops it five rows later', () => {
    const bars = pathThrough([...DOUBLE_TOP.slice(0, 5), [64, 96], [80, 112]]);
    // Row 69 closes at 101, the first above 100.25.
    expect(find(prefix(bars, 69), 'double_top')).toMatchObject({ status: 'forming' });
    expect(find(prefix(bars, 70), 'double_top')).toMatchObject({
      status: 'failed',
      failure: 'invalidated',
      failedRow: 69,
      confirmedRow: null,
    });
    expect(find(prefix(bars, 70 + SERVED_ROWS.chart.failedRows), 'double_top')).toBeDefined();
    expect(find(prefix(bars, 71 + SERVED_ROWS.chart.failedRows), 'double_top')).toBeUndefined();
  });

  it('fails a confirmed one later and still says when it was confirmed', () => {
    const bars = pathThrough([...DOUBLE_TOP, [95, 105]]);
    // Row 91 closes at 101.
    expect(find(bars, 'double_top')).toMatchObject({
      status: 'failed',
      failure: 'invalidated',
      confirmedRow: 71,
      failedRow: 91,
      trigger: 89.75,
    });
  });

  it('lets one expire that is never triggered', () => {
    // The peaks are 20 rows apart, so the last row it may be triggered on is 60 + 20.
    const bars = pathThrough([...DOUBLE_TOP.slice(0, 5), [64, 96], [90, 96]]);
    expect(find(prefix(bars, 80), 'double_top')).toMatchObject({ status: 'forming' });
    expect(find(prefix(bars, 81), 'double_top')).toMatchObject({
      status: 'failed',
      failure: 'expired',
      failedRow: 80,
    });
  });

  it('marks the row on which the target was touched, and holds the success for sixty rows', () => {
    const bars = pathThrough([...DOUBLE_TOP.slice(0, 5), [90, 70], [160, 70]]);
    // Target 79.25: row 80 closes at 80 with a low of 79.75, row 81 at 79.
    const asOf = (row: number) => find(prefix(bars, row + 1), 'double_top');
    expect(asOf(80)).toMatchObject({ targetRow: null });
    expect(asOf(81)).toMatchObject({ targetRow: 81, status: 'confirmed' });
    expect(asOf(71 + SERVED_ROWS.chart.confirmedRows)).toMatchObject({ targetRow: 81 });
    expect(asOf(72 + SERVED_ROWS.chart.confirmedRows)).toBeUndefined();
  });

  it('has nothing to say of a short or motionless history', () => {
    expect(detectPatterns(pathThrough(DOUBLE_TOP.slice(0, 1)))).toEqual([]);
    expect(detectPatterns(prefix(pathThrough(DOUBLE_TOP), 14))).toEqual([]);
    expect(detectPatterns(pathThrough(numbers`0 50, 200 50`, 0))).toEqual([]);
  });
});
