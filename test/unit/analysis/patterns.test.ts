import { describe, expect, it } from 'vitest';
import type {
  PatternDirection,
  PatternFinding,
  PatternType,
} from '../../../src/analysis/patterns/finding.ts';
import { detectPatterns } from '../../../src/analysis/patterns/index.ts';
import { SERVED_ROWS } from '../../../src/analysis/patterns/lifecycle.ts';
import type { BarColumns } from '../../../src/market/observations.ts';
import { mirrored, prefix } from '../../support/bar-columns.ts';
import { pathThrough, type Waypoint } from '../../support/price-paths.ts';
import { figures, numbers } from '../../support/tables.ts';

// Paths run a dollar a row with shadows of 0.25 unless their waypoints say otherwise: true range 1.5, so a small swing
// takes 2.25 dollars and a peak at close 100 has its high at 100.25.

function find(bars: BarColumns, type: PatternType): PatternFinding | undefined {
  return detectPatterns(bars).find((finding) => finding.type === type);
}

/** The path with another waypoint in place of that of a row. */
const moved = (path: readonly Waypoint[], from: number, to: Waypoint): Waypoint[] =>
  path.map((point) => (point[0] === from ? to : point));

const DOUBLE_TOP: Waypoint[] = numbers`0 90, 20 80, 40 100, 50 90, 60 100, 75 85`;
const TRIPLE_TOP: Waypoint[] = numbers`0 90, 20 80, 40 100, 50 90, 60 100, 70 91, 80 100, 92 88`;
const SHOULDERS: Waypoint[] = numbers`0 90, 20 70, 40 90, 50 80, 65 95, 80 80, 90 90, 103 77`;
const ASCENDING: Waypoint[] = numbers`0 60, 40 100, 50 90, 60 100, 67 93, 74 100, 78 96, 86 104`;
// Highs 105.25, 101.25 and lows 84.75, 90.75, 93.75: both sides close in on each other.
const SYMMETRICAL: Waypoint[] = numbers`0 100, 20 85, 40 105, 54 91, 64 101, 71 94`;
const RISING_WEDGE: Waypoint[] = numbers`0 110, 20 90, 34 104, 44 94, 56 106, 64 98, 70 104, 86 88`;
const RECTANGLE: Waypoint[] = numbers`0 80, 20 80, 40 100, 50 90, 60 100, 70 90, 80 100, 90 90`;
// Twenty still rows (true range 0.5), then 14 dollars in 7 rows.
const POLE: Waypoint[] = numbers`0 100, 20 100, 27 114`;
const FLAG: Waypoint[] = [...POLE, ...numbers<[number, number]>`33 111, 34 110.5, 37 116`];
const PENNANT: Waypoint[] = [
  ...POLE,
  ...numbers<[number, number]>`28 112, 29 113.5, 30 112.3, 31 113.2, 32 112.6, 33 113, 36 118`,
];
const CUP: Waypoint[] = numbers`0 65, 10 60, 60 100, 70 88, 85 80, 105 80, 118 88, 130 100, 138 95, 147 104`;
// Declines from 100.25 to 79.75 (20.4 %), 99.25 to 89.75 (9.6 %) and 99.25 to 94.75 (4.5 %) in a rising market.
const VCP: Waypoint[] = numbers`0 40, 150 100, 165 80, 180 99, 188 90, 197 99, 201 95, 208 103`;

describe('a pattern that is confirmed', () => {
  it.each<[type: PatternType, PatternDirection, path: Waypoint[], expected: Partial<PatternFinding>]>([
    // Seen two rows after the second peak (low 97.75 is 2.5 below it); 89 on row 71 is the first close below 89.75.
    // Height 100.25 - 89.75 = 10.5; target 89.75 - 10.5 = 79.25.
    [
      'double_top',
      'bearish',
      DOUBLE_TOP,
      figures`
        trigger 89.75, target 79.25, stop 100.25, invalidation 100.25, height 10.5, firstSeenRow 62,
        confirmedRow 71`,
    ],
    // The deeper valley is 90 - 0.25; row 90 closes at 90, row 91 at 89.
    ['triple_top', 'bearish', TRIPLE_TOP, figures`trigger 89.75, target 79.25, confirmedRow 91`],
    // Head 95.25 over the neckline 79.75: 15.5; target 64.25. Row 101 closes at 79.
    [
      'head_and_shoulders',
      'bearish',
      SHOULDERS,
      figures`
        trigger 79.75, target 64.25, stop 90.25, invalidation 95.25, height 15.5, firstSeenRow 92,
        confirmedRow 101`,
    ],
    // Highs rise 2 in 22 rows, lows 8 in 44: the lower line is the steeper. The first low, 89.75, is the target.
    ['rising_wedge', 'bearish', RISING_WEDGE, figures`target 89.75`],
    [
      'rectangle',
      'bullish',
      [...RECTANGLE, [104, 104]],
      figures`trigger 100.25, target 110.75, stop 89.75, invalidation 89.75, confirmedRow 101`,
    ],
    // Pole 114.25 - 99.75 = 14.5; the flag's low is 110.25; half of the pole is given back below 107.
    [
      'bull_flag',
      'bullish',
      FLAG,
      figures`stop 110.25, invalidation 107, height 14.5, firstSeenRow 32, confirmedRow 35`,
    ],
    ['bull_pennant', 'bullish', PENNANT, figures`height 14.5`],
    // Rims 100.25, bottom 79.75: depth 20.5, target 120.75, lower half below 90. Handle low 95 - 0.25.
    // The handle is five rows long on row 135; 101 on row 144 is the first close above the rim.
    [
      'cup_and_handle',
      'bullish',
      CUP,
      figures`
        trigger 100.25, target 120.75, stop 94.75, invalidation 90, height 20.5, firstSeenRow 135,
        confirmedRow 144`,
    ],
    // Row 205 closes at 99.57, the first above 99.25; the first contraction measures 20.5.
    [
      'volatility_contraction',
      'bullish',
      VCP,
      figures`trigger 99.25, target 119.75, stop 94.75, confirmedRow 205`,
    ],
  ])('%s, %s', (type, direction, path, expected) => {
    const rest = { family: 'chart', status: 'confirmed', failedRow: null };
    expect(find(pathThrough(path), type)).toMatchObject({ ...rest, direction, ...expected });
  });

  it.each<[type: PatternType, path: Waypoint[], upsideDown: PatternType]>([
    ['double_top', DOUBLE_TOP, 'double_bottom'],
    ['triple_top', TRIPLE_TOP, 'triple_bottom'],
    ['head_and_shoulders', SHOULDERS, 'inverse_head_and_shoulders'],
    ['ascending_triangle', ASCENDING, 'descending_triangle'],
    ['rising_wedge', RISING_WEDGE, 'falling_wedge'],
    ['bull_flag', FLAG, 'bear_flag'],
    ['bull_pennant', PENNANT, 'bear_pennant'],
  ])('%s upside down', (type, path, upsideDown) => {
    const bars = pathThrough(path);
    const { direction, height, confirmedRow, firstSeenRow, ...finding } = find(bars, type)!;
    const turned = (price: number) => expect.closeTo(200 - price, 10);
    expect(find(mirrored(bars, 200), upsideDown)).toMatchObject({
      direction: direction === 'bullish' ? 'bearish' : 'bullish',
      status: 'confirmed',
      height: expect.closeTo(height, 10),
      trigger: turned(finding.trigger),
      target: turned(finding.target),
      stop: turned(finding.stop),
      invalidation: turned(finding.invalidation),
      confirmedRow,
      firstSeenRow,
    });
  });

  it('has its pivots', () => {
    const pivots = find(pathThrough(DOUBLE_TOP), 'double_top')!.pivots;
    expect(pivots.map(({ row, price }) => [row, price])).toEqual(numbers`40 100.25, 50 89.75, 60 100.25`);
    expect(find(pathThrough(VCP), 'volatility_contraction')!.pivots).toHaveLength(6);
  });

  it('stands in the place of a lesser one', () => {
    const three = pathThrough(TRIPLE_TOP);
    expect(find(prefix(three, 70), 'double_top')).toMatchObject({ status: 'forming' });
    expect(find(three, 'double_top')).toBeUndefined();
    expect(find(pathThrough(PENNANT), 'bull_flag')).toBeUndefined();
  });
});

it.each<[type: PatternType, where: string, path: Waypoint[]]>([
  ['double_top', 'the second peak is a third of the height higher', moved(DOUBLE_TOP, 60, [63, 103])],
  // The path comes down from 110 and its low before the first peak is that of the valley.
  ['double_top', 'no advance leads into it', numbers`0 110, 20 90, 40 100, 50 90, 60 100, 75 85`],
  ['triple_top', 'the third peak stops half way', moved(TRIPLE_TOP, 80, [80, 95])],
  [
    'head_and_shoulders',
    'the head hardly tops the shoulders',
    numbers`0 90, 20 70, 40 90, 50 80, 62 92, 74 80, 84 90, 97 77`,
  ],
  [
    'ascending_triangle',
    'the second low is as deep as the first',
    numbers`0 60, 40 100, 50 90, 60 100, 70 90, 80 100, 84 96, 92 104`,
  ],
  ['symmetrical_triangle', 'the lines run apart', numbers`0 95, 20 91, 30 101, 40 89, 54 103, 72 85, 77 90`],
  [
    'rising_wedge',
    'the channel keeps its width',
    numbers`0 110, 20 90, 34 104, 44 94, 58 108, 68 98, 74 104, 90 88`,
  ],
  ['rectangle', 'the top slopes', moved(moved([...RECTANGLE, [98, 98]], 60, [60, 103]), 80, [80, 106])],
  ['bull_flag', 'more than half of the pole is given back', [...POLE, [33, 105], [37, 116]]],
  ['bull_pennant', 'more than half of the pole is given back', [...POLE, [33, 105], [37, 116]]],
  ['cup_and_handle', 'the cup is a V', numbers`0 65, 10 60, 60 100, 95 80, 130 100, 138 95, 147 104`],
  ['cup_and_handle', 'the handle drops into the lower half', moved(CUP, 138, [134, 87])],
  [
    'volatility_contraction',
    'the second decline is the deeper',
    numbers`0 40, 150 100, 160 90, 170 99, 183 84, 197 103`,
  ],
  ['volatility_contraction', 'the market falls', moved(VCP, 0, [0, 160])],
])('no %s is found where %s', (type, _, path) => {
  expect(find(pathThrough(path), type)).toBeUndefined();
});

describe('lines', () => {
  it('of a neckline slope until they break, and are frozen then', () => {
    const bars = pathThrough(moved(SHOULDERS, 80, [80, 82]));
    // Neckline from (50, 79.75) to (80, 81.75), 2/30 a row. At the head, row 65: 80.75, so the height is 14.5.
    // Row 97 closes at 83 above 82.88, row 98 at 82 below 79.75 + 48 x 2/30 = 82.95. Target 82.95 - 14.5 = 68.45.
    expect(find(bars, 'head_and_shoulders')).toMatchObject({
      status: 'confirmed',
      confirmedRow: 98,
      triggerLine: { fromRow: 50, fromPrice: 79.75, toRow: 80, toPrice: 81.75 },
      trigger: expect.closeTo(82.95, 10),
      height: expect.closeTo(14.5, 10),
      target: expect.closeTo(68.45, 10),
    });
    // Forming on row 93 it quotes that row's neckline: 79.75 + 43 x 2/30.
    expect(find(prefix(bars, 94), 'head_and_shoulders')?.trigger).toBeCloseTo(79.75 + 86 / 30, 10);
  });

  it('of an ascending triangle measure it at its first touch', () => {
    // Lower line through (50, 89.75) and (67, 92.75): 3/17 a row, so 89.75 - 30/17 at the first touch on row 40 and a
    // width of 10.5 + 30/17 there. Row 83 closes at 101, the first above 100.25. Of the last low (92.75) and the line on
    // row 83 (89.75 + 99/17) the higher is the stop, the lower the end of it.
    expect(find(pathThrough(ASCENDING), 'ascending_triangle')).toMatchObject({
      direction: 'bullish',
      status: 'confirmed',
      confirmedRow: 83,
      trigger: expect.closeTo(100.25, 10),
      height: expect.closeTo(10.5 + 30 / 17, 10),
      target: expect.closeTo(110.75 + 30 / 17, 10),
      stop: expect.closeTo(89.75 + 99 / 17, 10),
      invalidation: 92.75,
    });
  });

  it('of a flag fall half a dollar a row from 114.25 on row 28', () => {
    // 110.75 on row 35, when the close is 112.33; the pole of 14.5 is added.
    const { trigger, target } = find(pathThrough(FLAG), 'bull_flag')!;
    expect(trigger).toBeCloseTo(110.75, 10);
    expect(target).toBeCloseTo(125.25, 10);
  });

  it('of a symmetrical triangle are neutral until a close leaves it, and takes that side', () => {
    const at = (...points: Waypoint[]) =>
      find(pathThrough([...SYMMETRICAL, ...points]), 'symmetrical_triangle')!;
    const forming = at([74, 97]);
    expect(forming).toMatchObject({ direction: 'neutral', status: 'forming', target: Number.NaN });
    // The upper line falls 4 in 24 rows from (40, 105.25): on row 74 it is at 105.25 - 34/6.
    expect(forming.trigger).toBeCloseTo(105.25 - 34 / 6, 10);
    expect(forming.counterTrigger).toBeLessThan(97);
    const [up, down] = [at([80, 103]), at([74, 97], [84, 87])];
    expect(up).toMatchObject({ direction: 'bullish', status: 'confirmed' });
    expect(up.target).toBeCloseTo(up.trigger + up.height, 10);
    expect(down).toMatchObject({ direction: 'bearish', status: 'confirmed' });
    expect(down.target).toBeCloseTo(down.trigger - down.height, 10);
    expect(down.trigger).toBeLessThan(down.counterTrigger);
  });
});

describe('the life of a pattern', () => {
  const asOf = (path: Waypoint[], row: number) => find(prefix(pathThrough(path), row + 1), 'double_top');
  const TO_SECOND_PEAK = DOUBLE_TOP.slice(0, 5);

  it('begins as forming, before the valley breaks', () => {
    expect(asOf(DOUBLE_TOP, 70)).toMatchObject({ status: 'forming', confirmedRow: null, trigger: 89.75 });
    expect(asOf(DOUBLE_TOP, 61)).toBeUndefined();
    const rectangle = find(pathThrough([...RECTANGLE, [98, 98]]), 'rectangle');
    const edges = { trigger: 100.25, counterTrigger: 89.75 };
    expect(rectangle).toMatchObject({ direction: 'neutral', status: 'forming', ...edges });
  });

  it('fails a forming one on a close beyond its invalidation and drops it five rows later', () => {
    const path: Waypoint[] = [...TO_SECOND_PEAK, [64, 96], [80, 112]];
    // Row 69 closes at 101, the first above 100.25.
    expect(asOf(path, 68)).toMatchObject({ status: 'forming' });
    const failed = { status: 'failed', failure: 'invalidated', failedRow: 69, confirmedRow: null };
    expect(asOf(path, 69)).toMatchObject(failed);
    expect(asOf(path, 69 + SERVED_ROWS.chart.failedRows)).toBeDefined();
    expect(asOf(path, 70 + SERVED_ROWS.chart.failedRows)).toBeUndefined();
  });

  it('fails a confirmed one later and still says when it was confirmed', () => {
    // Row 91 closes at 101.
    const failed = { status: 'failed', failure: 'invalidated', confirmedRow: 71, failedRow: 91 };
    expect(asOf([...DOUBLE_TOP, [95, 105]], 95)).toMatchObject({ ...failed, trigger: 89.75 });
  });

  it('lets one expire that is never triggered', () => {
    // The peaks are 20 rows apart, so the last row it may be triggered on is 60 + 20.
    const path: Waypoint[] = [...TO_SECOND_PEAK, [64, 96], [90, 96]];
    expect(asOf(path, 79)).toMatchObject({ status: 'forming' });
    expect(asOf(path, 80)).toMatchObject({ status: 'failed', failure: 'expired', failedRow: 80 });
  });

  it('marks the row on which the target was touched, and holds the success for sixty rows', () => {
    const path: Waypoint[] = [...TO_SECOND_PEAK, [90, 70], [160, 70]];
    // Target 79.25: row 80 closes at 80 with a low of 79.75, row 81 at 79.
    expect(asOf(path, 80)).toMatchObject({ targetRow: null });
    expect(asOf(path, 81)).toMatchObject({ targetRow: 81, status: 'confirmed' });
    expect(asOf(path, 71 + SERVED_ROWS.chart.confirmedRows)).toMatchObject({ targetRow: 81 });
    expect(asOf(path, 72 + SERVED_ROWS.chart.confirmedRows)).toBeUndefined();
  });

  it('has nothing to say of a short or motionless history', () => {
    expect(detectPatterns(pathThrough(DOUBLE_TOP.slice(0, 1)))).toEqual([]);
    expect(detectPatterns(prefix(pathThrough(DOUBLE_TOP), 14))).toEqual([]);
    expect(detectPatterns(pathThrough(numbers`0 50, 200 50`, 0))).toEqual([]);
  });
});
