import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ENTRY_COMPONENTS, ENTRY_WEIGHTS } from '../../../../src/analysis/scoring/entry.ts';
import { entryGates } from '../../../../src/analysis/scoring/entry-gates.ts';
import { PULSE_COMPONENTS, PULSE_WEIGHTS } from '../../../../src/analysis/scoring/pulse.ts';
import { tableOf } from './doc-table.ts';

/** What docs/scoring-intraday.md says beside its generated tables and marked figures, against the program. */

const page = readFileSync(new URL('../../../../docs/scoring-intraday.md', import.meta.url), 'utf8');

const table = (...columns: string[]) => tableOf(page, ...columns);

/** The cells of one column as numbers, by row. */
const column = (rows: Record<string, string[]>, at: number): Record<string, number> =>
  Object.fromEntries(Object.entries(rows).map(([name, cells]) => [name, Number(cells[at])]));

const PULSE_TABLE = ['component of the pulse', 'weight', 'bull; bear is the mirror'];
const ENTRY_TABLE = ['component of an entry', 'weight', 'bull; bear with both sides exchanged'];

describe('docs/scoring-intraday.md', () => {
  it('has every weight', () => {
    expect(column(table(...PULSE_TABLE), 0)).toEqual(Object.fromEntries(PULSE_WEIGHTS));
    expect(column(table(...ENTRY_TABLE), 0)).toEqual(Object.fromEntries(ENTRY_WEIGHTS));
  });

  it('computes every component from its inputs', () => {
    for (const [name, cells] of [
      ...Object.entries(table(...PULSE_TABLE)),
      ...Object.entries(table(...ENTRY_TABLE)),
    ]) {
      const { inputs } = { ...PULSE_COMPONENTS, ...ENTRY_COMPONENTS }[name as 'vwap'];
      const formula = cells.join(' ');
      for (const input of inputs.bull) expect(formula, name).toContain(`\`${input}\``);
    }
  });

  it('keeps its promise on a tape without prints', () => {
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
});
