import { describe, expect, it } from 'vitest';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { realDataPlan } from '../../../src/files/real-data.ts';
import { FULL } from '../../support/depth.ts';
import { ABSENT, realDataDirectory } from '../../support/real-data.ts';
import { deliveriesOf, refusalsIn, temporaryFolder, written } from './feed-probe.ts';

const folder = temporaryFolder();
const calendar = newYorkCalendar();

/** A data folder with these files; `sources.json` holds the given sources, or the given text. */
function dataFolder(sources: unknown, files: Readonly<Record<string, string>> = {}): string {
  const list = typeof sources === 'string' ? sources : JSON.stringify({ sources });
  return written(folder, { ...(sources !== null && { 'sources.json': list }), ...files }).folder;
}

const planOf = (sources: unknown, files?: Readonly<Record<string, string>>) =>
  realDataPlan(dataFolder(sources, files), calendar);

describe('sources.json', () => {
  it('opens each source in its order, with its interval and symbol', async () => {
    const plan = await planOf(
      [
        { format: 'profiles', title: 'companies', paths: ['companies.csv'] },
        { format: 'csv', title: 'VIX', paths: ['macro/vix.csv'], interval: '1d', symbol: '^VIX' },
      ],
      {
        'companies.csv': 'Symbol,Security,Date added\nA,Agilent,2024-01-31\n',
        'macro/vix.csv': 'Date,Open,High,Low,Close\n2024-01-31,13,15,13,14\n',
      },
    );
    expect(plan.map(({ title }) => title)).toEqual(['companies', 'VIX']);
    expect(await deliveriesOf(plan[0]!.feed)).toMatchObject([{ kind: 'facts', symbol: 'A' }]);
    expect(await deliveriesOf(plan[1]!.feed)).toMatchObject([
      { kind: 'bars', symbol: '^VIX', interval: '1d' },
    ]);
  });

  it('takes the files of a folder and of the folders in it', async () => {
    const fact = (symbol: string): string =>
      `{"kind":"shares","symbol":"${symbol}","known_at":"2024-05-03","outstanding":1000}\n`;
    const [part] = await planOf([{ format: 'facts', title: 'facts', paths: ['facts'] }], {
      'facts/a.jsonl': fact('A'),
      'facts/more/b.jsonl': fact('B'),
    });
    expect(await deliveriesOf(part!.feed)).toMatchObject([{ symbol: 'A' }, { symbol: 'B' }]);
  });

  it('names paths that are absent in the title, and reads the others', async () => {
    const sources = [
      { format: 'chains', title: 'chains', paths: ['nowhere', 'there.csv'] },
      { format: 'lean', title: 'Lean', paths: ['lean'] },
    ];
    const plan = await planOf(sources, { 'there.csv': '' });
    expect(plan.map(({ title }) => title)).toEqual(['chains: not found: nowhere', 'Lean: not found: lean']);
    expect((await plan[0]!.feed.units()).map(({ key }) => key)).toEqual(['there.csv']);
    expect(await plan[1]!.feed.units()).toEqual([]);
  });

  it.each([
    ['an absent list', null, 'does not exist'],
    ['no JSON', '{"sources":', 'is not JSON'],
    ['an unknown format', [{ format: 'parquet', title: 'x', paths: ['x'] }], '/sources/0/format'],
    [
      'an unknown interval',
      [{ format: 'csv', title: 'x', paths: ['x'], interval: '7m' }],
      '/sources/0/interval',
    ],
    ['no paths', [{ format: 'csv', title: 'x', paths: [] }], '/sources/0/paths'],
    ['a word it does not know', [{ format: 'csv', title: 'x', paths: ['x'], zone: 'UTC' }], '/sources/0'],
  ])('refuses %s, and says what it must hold', async (_what, sources, fault) => {
    const refused = expect(planOf(sources)).rejects;
    await refused.toMatchObject({ code: 'import_failed', message: expect.stringContaining(fault) });
    await expect(planOf(sources)).rejects.toThrow('docs/data-formats.md');
  });

  it('refuses several paths where a format reads one', async () => {
    const source = { format: 'profiles', title: 'companies', paths: ['a.csv', 'b.csv'] };
    await expect(planOf([source], { 'a.csv': '', 'b.csv': '' })).rejects.toThrow('reads one');
  });
});

describe('the recorded data', () => {
  const data = realDataDirectory;

  it('has every source, with its files', async (test) => {
    test.skip(data === null, ABSENT);
    const plan = await realDataPlan(data!, calendar);
    expect(plan.filter(({ title }) => title.includes('not found'))).toEqual([]);
    const units = await Promise.all(plan.map(({ feed }) => feed.units()));
    expect(units.map((list) => list.length)).toEqual([1, 222, 1, 1, 6, 1, 13, 1, 10, 31, 1, 1]);
    const companies = await deliveriesOf(plan.find(({ title }) => title === 'index constituents')!.feed);
    expect(companies.length).toBe(503);
    // The newest entry joined the index on 2026-08-05; that day ends at 04:00 UTC in summer.
    expect(companies[0]).toMatchObject({ facts: [{ knownAt: Date.parse('2026-08-06T04:00:00Z') }] });
  });

  it('has 124,832 reported facts of ten kinds, none refused', async (test) => {
    test.skip(data === null, ABSENT);
    test.skip(!FULL, 'npm run test:full reads them');
    const part = (await realDataPlan(data!, calendar)).find(({ title }) => title === 'reported facts');
    const deliveries = await deliveriesOf(part!.feed);
    expect(refusalsIn(deliveries)).toEqual([]);
    const facts = deliveries.flatMap((delivery) => (delivery.kind === 'facts' ? delivery.facts : []));
    const counts = Object.fromEntries(
      [...Map.groupBy(facts, ({ kind }) => kind)].map(([kind, own]) => [kind, own.length]),
    );
    expect(counts).toEqual({
      analyst_estimates: 2218,
      analyst_grade: 735,
      earnings_date: 944,
      earnings_report: 83622,
      fundamentals: 1572,
      insider_transaction: 31038,
      price_target: 2424,
      profile: 1411,
      recommendations: 849,
      shares: 19,
    });
    expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(124_832);
  });
});
