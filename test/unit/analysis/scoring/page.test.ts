import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  FIRST_SCORE_MINUTES,
  FRESH_MINUTES,
  LOOKBACK_MINUTES,
  STEP_MINUTES,
  UNSTABLE_POINTS,
} from '../../../../src/analysis/scoring/conviction.ts';
import { FORMING_SHARE, UP_VOLUME_SESSIONS } from '../../../../src/analysis/scoring/daily.ts';
import { COMPONENT_NAMES, MAXIMUM } from '../../../../src/analysis/scoring/components.ts';
import { FAST_INPUTS, type InputName, SCALES } from '../../../../src/analysis/scoring/inputs.ts';
import { V3_TIERS, V5_TIERS } from '../../../../src/analysis/scoring/tiers.ts';
import { V3_WEIGHTS, V5_WEIGHTS, V45_WEIGHTS } from '../../../../src/analysis/scoring/weights.ts';
import { ENOUGH_WEIGHT } from '../../../../src/analysis/scoring/ledger.ts';
import {
  EXHAUSTED_BELOW,
  EXTENDED_ATR,
  FLAT_BLEND_PCT,
  HEALTH_RAMPS,
  HEALTH_WEIGHTS,
  HEALTHY_FROM,
} from '../../../../src/analysis/scoring/momentum-health.ts';
import { LIFT_MIN } from '../../../../src/analysis/scoring/pieces.ts';
import { RAMPS } from '../../../../src/analysis/scoring/ramps.ts';
import {
  RULES,
  STRONG_BREADTH,
  TREND_SLOPE_PCT,
  VOLATILITY_FROM,
  VOLATILITY_ROWS,
  WEAK_ADX,
  WEAK_BREADTH,
} from '../../../../src/analysis/scoring/regime.ts';
import { TRAP_LEAN } from '../../../../src/analysis/scoring/session.ts';
import { BIAS_MARGIN } from '../../../../src/analysis/scoring/tiers.ts';
import { MARKET_BREAKER_PCT, STALE_MINUTES } from '../../../../src/analysis/scoring/warnings.ts';

/** What docs/scoring-scores.md says, against the program: a figure that drifts fails here. */

const page = readFileSync(new URL('../../../../docs/scoring-scores.md', import.meta.url), 'utf8');

/** Rows of the table that has these columns, by the word in backticks of the first; cells without backticks. */
function table(...columns: string[]): Record<string, string[]> {
  const head = `| ${columns.join(' | ')} |\n`;
  const from = page.indexOf(head);
  expect(from, head).toBeGreaterThan(0);
  const rows = page.slice(from + head.length).split('\n');
  const lines = rows.slice(
    1,
    rows.findIndex((line) => !line.startsWith('|')),
  );
  const cells = lines.map((line) =>
    line
      .replaceAll('\\|', '/')
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  return Object.fromEntries(cells.map(([name, ...rest]) => [name!.replaceAll('`', ''), rest]));
}

const figures = (cells: readonly string[]): (number | null)[] =>
  cells.map((cell) => (cell === '' ? null : Number(cell)));

const mapped = <Value, Result>(record: Readonly<Record<string, Value>>, of: (value: Value) => Result) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, of(value)]));

describe('docs/scoring-scores.md', () => {
  it('has every component', () => {
    const rows = table('component', 'bull; bear is the mirror unless said', 'symmetric', 'function, source');
    expect(Object.keys(rows)).toEqual(COMPONENT_NAMES);
  });

  it('has every ramp', () => {
    const rows = table('ramp', 'from', 'to', 'unit', 'reason');
    expect(mapped(rows, (cells) => figures(cells.slice(0, 2)))).toEqual(
      mapped(RAMPS, ({ from, to }) => [from, to]),
    );
    for (const [name, cells] of Object.entries(rows)) expect(cells[3], name).not.toBe('');
  });

  it('has every input with its scale', () => {
    const rows = table('input', 'definition', 'unit', 'low', 'high', 'fast');
    const fast = (name: string) => ((FAST_INPUTS as readonly string[]).includes(name) ? 'yes' : '');
    expect(mapped(rows, (cells) => figures(cells.slice(1, 4)))).toEqual(
      mapped(SCALES, ({ unit, low, high }) => [unit, low, high]),
    );
    for (const [name, cells] of Object.entries(rows)) expect(cells[4], name).toBe(fast(name));
    for (const [name, [definition]] of Object.entries(rows)) {
      expect(definition!.includes('not searched'), name).toBe('steps' in SCALES[name as InputName]);
    }
  });

  it('has every weight', () => {
    const [v3, v45, v5] = [V3_WEIGHTS, V45_WEIGHTS, V5_WEIGHTS].map((weights) => new Map(weights));
    const rows = mapped(table('component', 'v3', 'v4.5', 'v5'), figures);
    expect(rows).toEqual(
      Object.fromEntries(
        COMPONENT_NAMES.map((name) => [
          name,
          [v3!.get(name) ?? null, v45!.get(name) ?? null, v5!.get(name) ?? null],
        ]),
      ),
    );
  });

  it('keeps its word on a stock with daily bars alone', () => {
    const daily = [
      'proximity',
      'volatility',
      'volume',
      'pattern',
      'momentum_trend',
      'intraday_return',
      'technical',
    ];
    const share = (weights: typeof V3_WEIGHTS) =>
      weights.reduce((sum, [name, weight]) => (daily.includes(name) ? sum + weight : sum), 0);
    const said = /keeps ([\d.]+) of v5, ([\d.]+) of v4.5 and ([\d.]+) of v3/.exec(page)!.slice(1).map(Number);
    expect(
      [share(V5_WEIGHTS), share(V45_WEIGHTS), share(V3_WEIGHTS)].map((sum) => Number(sum.toFixed(10))),
    ).toEqual(said);
    const chain = V5_WEIGHTS.filter(([name]) => ['iv', 'pricing_edge', 'greek_alignment'].includes(name));
    const said2 = Number(/option chain weigh ([\d.]+) of v5/.exec(page)![1]);
    expect(chain.reduce((sum, [, weight]) => sum + weight, 0)).toBeCloseTo(said2, 12);
  });

  it('has every tier', () => {
    const rows = mapped(table('tier', 'v3', 'v5'), figures);
    expect(rows).toEqual(
      Object.fromEntries(
        (['EXCELLENT', 'GOOD', 'MODERATE', 'WEAK'] as const).map((tier) => [
          tier,
          [V3_TIERS[tier], V5_TIERS[tier]],
        ]),
      ),
    );
  });

  it('has every rule of the regime', () => {
    const rows = table('rule', 'supports');
    expect(mapped(rows, ([supports]) => supports!.split(', '))).toEqual(RULES);
  });

  it('has every part of the health of momentum', () => {
    const rows = mapped(table('part', 'weight', 'from', 'to', 'reading'), (cells) =>
      figures(cells.slice(0, 3)),
    );
    expect(rows).toEqual(
      Object.fromEntries(
        HEALTH_WEIGHTS.map(([part, weight]) => [
          part,
          [weight, HEALTH_RAMPS[part].from, HEALTH_RAMPS[part].to],
        ]),
      ),
    );
  });

  it('has every other figure', () => {
    const rows = mapped(table('name', 'value', 'meaning'), ([value]) => Number(value));
    expect(rows).toEqual({
      maximum: MAXIMUM,
      least_lift: LIFT_MIN,
      enough_weight: ENOUGH_WEIGHT,
      bias_margin: BIAS_MARGIN,
      trap_lean: TRAP_LEAN,
      forming_share: FORMING_SHARE,
      up_volume_sessions: UP_VOLUME_SESSIONS,
      first_score_minutes: FIRST_SCORE_MINUTES,
      step_minutes: STEP_MINUTES,
      lookback_minutes: LOOKBACK_MINUTES,
      fresh_minutes: FRESH_MINUTES,
      unstable_points: UNSTABLE_POINTS,
      market_breaker_pct: MARKET_BREAKER_PCT,
      stale_minutes: STALE_MINUTES,
      trend_slope_pct: TREND_SLOPE_PCT,
      weak_adx: WEAK_ADX,
      volatility_normal: VOLATILITY_FROM.normal,
      volatility_high: VOLATILITY_FROM.high,
      volatility_extreme: VOLATILITY_FROM.extreme,
      volatility_rows: VOLATILITY_ROWS,
      strong_breadth: STRONG_BREADTH,
      weak_breadth: WEAK_BREADTH,
      flat_blend_pct: FLAT_BLEND_PCT,
      extended_atr: EXTENDED_ATR,
      healthy_from: HEALTHY_FROM,
      exhausted_below: EXHAUSTED_BELOW,
    });
  });

  it('names files and functions that exist', () => {
    const named = [...page.matchAll(/`([a-z][\w/-]*\.ts):(\w+)`/g)];
    expect(named.length).toBeGreaterThan(20);
    for (const [word, file, name] of named) {
      const path = new URL(`../../../../src/${file}`, import.meta.url);
      expect(existsSync(path), word).toBe(true);
      expect(readFileSync(path, 'utf8'), word).toMatch(new RegExp(`(function|const) ${name}\\b`));
    }
  });
});
