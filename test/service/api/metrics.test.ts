import { describe, expect, it } from 'vitest';
import type { App } from '../../../src/app.ts';
import { syncGraph } from '../../../src/pipeline/graph-sync.ts';
import { passMeter } from '../../../src/pipeline/pass-metrics.ts';
import { importFeed } from '../../../src/tape/ingest.ts';
import { feedOf, freshApp, serverOf } from '../../support/app.ts';
import { DOCUMENTED_METRICS } from '../../support/documented-metrics.ts';
import { dailyBars } from '../../support/market.ts';

const shownOf = async (app: App): Promise<string> => (await (await serverOf(app)).inject('/metrics')).body;

describe('/metrics', () => {
  it('shows what docs/metrics.md lists, each with a sentence', async () => {
    const { app } = await freshApp();
    passMeter(app.context, 'graph');
    const text = await shownOf(app);
    const shown = Array.from(
      text.matchAll(/^# HELP (tigraph_\w+) (.*)\n# TYPE \w+ (\w+)$/gm),
      ([, name, help, type]) => ({ name: name!, type, help: help! }),
    );
    expect(DOCUMENTED_METRICS.map(({ name, type }) => ({ name, type }))).toEqual(
      shown.map(({ name, type }) => ({ name, type })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    expect(shown.filter(({ help }) => !/^[A-Z].*\.$/.test(help))).toEqual([]);
  });

  it('counts what happened under labels that the page lists, and never under a symbol', async () => {
    const { app } = await freshApp();
    const { context } = app;
    await importFeed(
      context,
      feedOf({
        a: [dailyBars('ACME', '2023-01-03', '2024-03-05'), dailyBars('BETA', '2023-01-03', '2024-03-05')],
      }),
    );
    const before = await shownOf(app);
    expect(before).toMatch(/^tigraph_tape_files\{series="bars-1d"\} 1$/m);
    expect(before).toMatch(/^tigraph_facts_waiting_symbols 2$/m);
    expect(before).toMatch(/^tigraph_database_up 1$/m);
    expect(before).toMatch(/^tigraph_feed_age_seconds\{feed="daily_bars"\} \d+/m);
    const metered = passMeter(context, 'graph');
    await metered(
      () => syncGraph(context, { kind: 'touched' }),
      ({ derived, written }) => ({ derived, written }),
    );
    await expect(
      metered(
        () => Promise.reject(new Error('broken')),
        () => ({}),
      ),
    ).rejects.toThrow('broken');
    const text = await shownOf(app);
    expect(text).toMatch(/^tigraph_pass_items_total\{pass="graph",outcome="derived"\} 2$/m);
    expect(text).toMatch(/^tigraph_pass_failures_total\{pass="graph"\} 1$/m);
    expect(text).toMatch(/^tigraph_pass_duration_seconds_count\{pass="graph"\} 2$/m);
    expect(text).toMatch(/^tigraph_pass_last_success_timestamp_seconds\{pass="graph"\} \d+/m);
    expect(text).toMatch(/^tigraph_pass_running\{pass="graph"\} 0$/m);
    expect(text).toMatch(/^tigraph_database_statement_seconds_bucket\{le="0\.25",kind="select"\} \d+$/m);
    expect(text).not.toContain('ACME');
    const labels = new Map(DOCUMENTED_METRICS.map(({ name, labels: known }) => [name, known]));
    for (const [, name, list] of text.matchAll(/^(tigraph_\w+?)(?:_bucket|_sum|_count)?\{([^}]*)\}/gm)) {
      const used = list!.match(/\w+(?==")/g)!.filter((label) => label !== 'le');
      const known = labels.get(name!) ?? labels.get(`${name}_count`) ?? [];
      for (const label of used) expect(known, `${name} ${label}`).toContain(label);
    }
  });
});
