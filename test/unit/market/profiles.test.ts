import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ProfileOptions, profilesFeed } from '../../../src/files/profiles.ts';
import { deliveriesOf, refusalsIn, temporaryFolder } from './feed-probe.ts';

const folder = temporaryFolder();

async function read(text: string, options: Partial<ProfileOptions> = {}) {
  const path = join(folder, 'companies.csv');
  writeFileSync(path, text);
  const deliveries = await deliveriesOf(profilesFeed({ path, ...options }));
  return { profiles: deliveries.filter((it) => it.kind === 'facts'), refused: refusalsIn(deliveries) };
}

const TABLE = `\uFEFFSymbol,Security,GICS Sector,GICS Sub-Industry,Headquarters Location,Date added,Founded\r
MMM,3M,Industrials,Industrial Conglomerates,"Saint Paul, Minnesota",1957-03-04,1902\r
BRK.B,"Berkshire ""Hathaway""",Financials,,"Omaha, Nebraska",2010-02-16,1839\r
`;

describe('profilesFeed', () => {
  it('reads a list of constituents, known at the end of its newest date', async () => {
    const { profiles, refused } = await read(TABLE);
    expect(refused).toEqual([]);
    expect(profiles[0]).toEqual({
      kind: 'facts',
      symbol: 'MMM',
      facts: [
        {
          kind: 'profile',
          key: 'company',
          // The end of 2010-02-16 in New York, which is winter time.
          knownAt: Date.parse('2010-02-17T05:00:00Z'),
          value: {
            companyName: '3M',
            description: null,
            ceo: null,
            headquarters: 'Saint Paul, Minnesota',
            employees: null,
            ipoDate: null,
            website: null,
            logoUrl: null,
            sector: 'Industrials',
            industry: 'Industrial Conglomerates',
            exchange: null,
          },
        },
      ],
    });
    expect(profiles[1]).toMatchObject({
      symbol: 'BRK.B',
      facts: [{ value: { companyName: 'Berkshire "Hathaway"', industry: null } }],
    });
  });

  it('takes the given date and columns', async () => {
    const { profiles } = await read('t;x\n', { knownAt: '2024-07-02', mapping: { symbol: 'T', ceo: 'X' } });
    expect(profiles).toEqual([]);
    const named = await read('t,x,employees,ipo date\nABC,A Name,1200,2004-08-19\n', {
      knownAt: '2024-07-02',
      mapping: { symbol: 'T', ceo: 'X' },
    });
    expect(named.profiles[0]!.facts[0]).toMatchObject({
      knownAt: Date.parse('2024-07-03T04:00:00Z'),
      value: { ceo: 'A Name', employees: 1200, ipoDate: '2004-08-19' },
    });
  });

  it('refuses rows one by one, and a table without any date as a whole', async () => {
    const { profiles, refused } = await read(
      'Symbol,Name,Date added\nAAA,A,2020-01-02\n?!,B,2020-01-02\nCCC\n',
    );
    expect(profiles.map(({ symbol }) => symbol)).toEqual(['AAA']);
    expect(refused.map(({ reason, where }) => `${where} ${reason}`)).toEqual([
      'companies.csv:3 bad_symbol',
      'companies.csv:4 wrong_columns',
    ]);
    expect((await read('Symbol,Name\nAAA,A\n')).refused).toMatchObject([{ reason: 'bad_time' }]);
    expect((await read('Name\nA\n')).refused).toMatchObject([{ reason: 'wrong_columns' }]);
    expect((await read('')).refused).toMatchObject([{ reason: 'wrong_columns' }]);
  });

  it('reads cells of several lines, and goes on behind a quote that nobody closes', async () => {
    const { profiles, refused } = await read(
      'Symbol,Name,Description\r\nAAA,A,"Makes ""A"",\r\n\r\nand B."\r\n\r\nBBB,6" pipes,x\r\nCCC,"C" & co,x\nDDD,D,""\nEEE,"E,x\n',
      { knownAt: '2024-07-02' },
    );
    expect(profiles.map(({ symbol, facts }) => [symbol, facts[0]!.value])).toMatchObject([
      ['AAA', { companyName: 'A', description: 'Makes "A",\r\n\r\nand B.' }],
      ['DDD', { companyName: 'D', description: null }],
    ]);
    // Lines 6, 7 and 9.
    expect(refused).toMatchObject([
      { where: 'companies.csv:6', reason: 'wrong_columns', example: 'BBB,6" pipes,x', count: 3 },
    ]);
  });
});
