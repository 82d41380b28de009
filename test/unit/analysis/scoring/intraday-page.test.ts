import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FIRST_SCORE_MINUTES } from '../../../../src/analysis/scoring/conviction.ts';
import {
  DIVERGENCE_SHARE,
  ENTRY_COMPONENTS,
  ENTRY_RAMPS,
  ENTRY_WEIGHTS,
  FAR_ATR,
  GAMMA_SHIFT,
  RECENT_FLOW_MINUTES,
  TURN_MINUTES,
} from '../../../../src/analysis/scoring/entry.ts';
import {
  entryGates,
  FIRST_MINUTES,
  LAST_MINUTES,
  AVERAGE_SHARES_MIN,
} from '../../../../src/analysis/scoring/entry-gates.ts';
import {
  PULSE_COMPONENTS,
  PULSE_MODERATE,
  PULSE_RAMPS,
  PULSE_STRONG,
  PULSE_WEIGHTS,
} from '../../../../src/analysis/scoring/pulse.ts';
import { FEED_STALE_MINUTES, PARTIAL_MINUTES } from '../../../../src/analysis/scoring/warnings.ts';

/** What docs/scoring-intraday.md says, against the program: a figure that drifts fails here. */

const page = readFileSync(new URL('../../../../docs/scoring-intraday.md', import.meta.url), 'utf8');

/** Rows of the table that has these columns, by the words in backticks of the first. */
function table(...columns: string[]): Record<string, string[]> {
  const head = `| ${columns.join(' | ')} |\n`;
  const from = page.indexOf(head);
  expect(from, head).toBeGreaterThan(0);
  const rows = page.slice(from + head.length).split('\n');
  const lines = rows.slice(
    1,
    rows.findIndex((line) => !line.startsWith('|')),
  );
  const cells = lines.map((line) => line.split('|').slice(1, -1));
  return Object.fromEntries(
    cells.map(([name, ...rest]) => [name!.replaceAll('`', '').trim(), rest.map((cell) => cell.trim())]),
  );
}

/** The cells of one column as numbers, by row. */
const column = (rows: Record<string, string[]>, at: number): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).map(([name, cells]) => [name, Number(cells[at])]));

const PULSE_TABLE = ['component of the pulse', 'weight', 'bull; bear is the mirror'];
const ENTRY_TABLE = ['component of an entry', 'weight', 'bull', 'bear'];

describe('docs/scoring-intraday.md', () => {
  it('has every weight', () => {
    expect(column(table(...PULSE_TABLE), 0)).toEqual(Object.fromEntries(PULSE_WEIGHTS));
    expect(column(table(...ENTRY_TABLE), 0)).toEqual(Object.fromEntries(ENTRY_WEIGHTS));
  });

  it('has every input, where it is used and where it is defined', () => {
    const inputsOf = (components: object): string[] =>
      Object.values(components as typeof PULSE_COMPONENTS).flatMap(({ inputs }) => [
        ...inputs.bull,
        ...inputs.bear,
      ]);
    const defined = (...columns: string[]) =>
      Object.keys(table(...columns)).flatMap((names) => names.split(', '));
    expect(new Set(defined('input of the pulse', 'definition', 'missing'))).toEqual(
      new Set(inputsOf(PULSE_COMPONENTS)),
    );
    expect(new Set(defined('input of an entry', 'definition', 'missing'))).toEqual(
      new Set(inputsOf(ENTRY_COMPONENTS)),
    );
    for (const [name, cells] of [
      ...Object.entries(table(...PULSE_TABLE)),
      ...Object.entries(table(...ENTRY_TABLE)),
    ]) {
      const { inputs } = { ...PULSE_COMPONENTS, ...ENTRY_COMPONENTS }[name as 'vwap'];
      const told = cells.join(' ');
      for (const input of inputs.bull) expect(told, name).toContain(`\`${input}\``);
    }
  });

  it('has every ramp', () => {
    const bounds = (ramps: object) =>
      Object.fromEntries(
        Object.entries(ramps as typeof PULSE_RAMPS).map(([name, { from, to }]) => [name, [from, to]]),
      );
    const told = (rows: Record<string, string[]>) =>
      Object.fromEntries(
        Object.entries(rows).map(([name, [from, to]]) => [name, [Number(from), Number(to)]]),
      );
    expect(told(table('ramp of the pulse', 'from', 'to', 'unit', 'reason'))).toEqual(bounds(PULSE_RAMPS));
    expect(told(table('ramp of an entry', 'from', 'to', 'unit', 'reason'))).toEqual(bounds(ENTRY_RAMPS));
  });

  it('keeps its word on a tape without prints', () => {
    const without = (weights: readonly (readonly [string, number])[], ...names: string[]) =>
      weights.reduce((sum, [name, weight]) => (names.includes(name) ? sum : sum + weight), 0);
    const [pulse, early] = /prints keeps (\d\.\d+), and the first half hour without prints (\d\.\d+)/
      .exec(page)!
      .slice(1)
      .map(Number);
    expect(without(PULSE_WEIGHTS, 'order_flow')).toBeCloseTo(pulse!, 12);
    expect(without(PULSE_WEIGHTS, 'order_flow', 'initial_balance', 'day_type')).toBeCloseTo(early!, 12);
    const entry = Number(/place before movement. A tape without prints keeps (\d\.\d+)/.exec(page)![1]);
    expect(without(ENTRY_WEIGHTS, 'flow_turn')).toBeCloseTo(entry, 12);
  });

  it('has every gate in its order', () => {
    const gates = entryGates({
      asOf: 0,
      session: { open: 0, close: 0 },
      averageShares: null,
      halted: false,
      circuitBreakerPassed: null,
      intradayReturnPct: null,
      indexReturn1dPct: null,
      newestBarEnd: 0,
      qualityPassed: null,
    });
    expect(Object.keys(table('gate', 'passes', 'unknown'))).toEqual(gates.map(({ gate }) => gate));
  });

  it('has every other figure', () => {
    expect(column(table('figure', 'value', 'meaning'), 0)).toEqual({
      first_score_minutes: FIRST_SCORE_MINUTES,
      pulse_moderate: PULSE_MODERATE,
      pulse_strong: PULSE_STRONG,
      gamma_shift: GAMMA_SHIFT,
      divergence_share: DIVERGENCE_SHARE,
      turn_minutes: TURN_MINUTES,
      recent_flow_minutes: RECENT_FLOW_MINUTES,
      far_atr: FAR_ATR,
      least_average_shares: AVERAGE_SHARES_MIN,
      first_minutes: FIRST_MINUTES,
      last_minutes: LAST_MINUTES,
      feed_stale_minutes: FEED_STALE_MINUTES,
      partial_minutes: PARTIAL_MINUTES,
    });
  });

  it('says in its sentences what its figures say', () => {
    for (const said of [
      `\`STRONG_LONG\` from ${PULSE_STRONG} on, \`MOD_LONG\` from ${PULSE_MODERATE} on`,
      `\`MOD_SHORT\` from -${PULSE_MODERATE} down, \`STRONG_SHORT\` from -${PULSE_STRONG} down`,
      `(1 - ${DIVERGENCE_SHARE} x max(0, \`cvd_divergence\`))`,
      `In long gamma ${GAMMA_SHIFT} of weight`,
      `of at least ${AVERAGE_SHARES_MIN.toLocaleString('en-US')}`,
      `from ${FIRST_MINUTES} minutes after the open until ${LAST_MINUTES} minutes before the close`,
      `ended at most ${FEED_STALE_MINUTES} minutes ago`,
      `move of the last ${TURN_MINUTES} minutes`,
      `shares of the last ${RECENT_FLOW_MINUTES} minutes`,
      `begin more than ${PARTIAL_MINUTES} minutes after its open`,
    ]) {
      expect(page).toContain(said);
    }
  });

  it('names files and functions that exist', () => {
    const named = [...page.matchAll(/`([a-z][\w/-]*\.ts):(\w+)`/g)];
    expect(named.length).toBeGreaterThan(8);
    for (const [word, file, name] of named) {
      const path = new URL(`../../../../src/${file}`, import.meta.url);
      expect(existsSync(path), word).toBe(true);
      expect(readFileSync(path, 'utf8'), word).toMatch(new RegExp(`(function|const) ${name}\\b`));
    }
  });
});
