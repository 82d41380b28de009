/**
 * Promises: a search of 10,000 symbols takes under 10 ms for 99 callers in 100 when nobody has asked for it before, and
 * under 1 ms when somebody has; without HTTP. Beside them the time until the first search, which reads every name, and
 * as the yardstick a plain filter of the same names by the same search.
 */
import { searchSymbols } from '../src/api/symbols/search-symbols.ts';
import { asBars, columnsOf } from '../src/market/series.ts';
import { factOf } from '../src/market/validate-fact.ts';
import { importFeed } from '../src/tape/ingest.ts';
import { type BenchLine, ms, percentile, timed, timedEach, timeOf } from './report.ts';
import { openBenchApp, removeFolder, temporaryFolder } from './universe.ts';

const SYMBOLS = 10_000;
const CALLS = 500;
const WARM_UP = 50;
const WORDS = [
  'Great',
  'Micro',
  'Devices',
  'Northern',
  'Energy',
  'Société',
  'Holdings',
  'Bank',
  'Pharma',
  'Steel',
];
const REALTIME = { source: 'realtime_sip', delayMs: 0, symbols: null } as const;
const KNOWN_AT = Date.parse('2024-01-02T14:30:00Z');

const symbolOf = (place: number): string => place.toString(26).padStart(4, '0').toUpperCase();
const nameOf = (place: number): string =>
  [place, Math.floor(place / 10), Math.floor(place / 100)].map((each) => WORDS[each % 10]).join(' ');

/** Ten days of every symbol, and its name. */
async function* deliveries() {
  for (let place = 0; place < SYMBOLS; place++) {
    const symbol = symbolOf(place);
    const rows = Float64Array.from({ length: 10 }, (_, day) => Date.UTC(2024, 0, 2 + day));
    const columns = asBars(columnsOf('bars-1d', (name) => (name === 'time' ? rows : rows.map(() => 10))));
    yield { kind: 'bars', symbol, interval: '1d', columns } as const;
    const none = { description: null, ceo: null, headquarters: null, employees: null, ipoDate: null };
    const profile = { ...none, website: null, logoUrl: null, industry: null, exchange: null };
    const value = { ...profile, companyName: `${nameOf(place)} ${place}`, sector: WORDS[place % 10]! };
    yield { kind: 'facts', symbol, facts: [factOf('profile', KNOWN_AT, value)] } as const;
  }
}

export async function run(): Promise<BenchLine[]> {
  const folder = temporaryFolder();
  const app = await openBenchApp(folder);
  try {
    const unit = { key: 'all', weight: 1, fingerprint: async () => '1', read: deliveries };
    await importFeed(app.context, { name: 'made', simulated: false, units: async () => [unit] });
    const search = (q: string): unknown => searchSymbols(app.context, { q, limit: 50 }, REALTIME);
    const first = await timeOf(() => search('0'));
    const { body } = await searchSymbols(app.context, { q: symbolOf(77), limit: 1 }, REALTIME);
    if (JSON.parse(String(body)).symbols.length !== 1) throw new Error('The search finds nothing');
    const queries = Array.from({ length: WARM_UP + CALLS }, (_, call) =>
      call % 2 === 0 ? symbolOf(call * 17).slice(0, 3 + (call % 4 === 0 ? 1 : 0)) : `${nameOf(call)} ${call}`,
    );
    const names = Array.from({ length: SYMBOLS }, (_, place) => `${nameOf(place)} ${place}`.toLowerCase());
    const asked = (at: number): unknown => search(queries[at]!);
    const cold = await timedEach(asked, 0, queries.length);
    const plain = queries.flatMap((q) =>
      timed(() => void names.filter((name) => name.startsWith(q.toLowerCase())), 0, 1),
    );
    const hot = await timedEach(asked, 0, queries.length);
    const yardstick = percentile(plain.slice(WARM_UP), 0.5);
    const lineOf = (name: string, times: readonly number[], targetMs: number): BenchLine => {
      const figure = percentile(times.slice(WARM_UP), 0.99);
      return {
        promise: `symbols: ${name}`,
        figure: `p99 ${ms(figure)}`,
        target: `under ${targetMs} ms`,
        met: figure < targetMs,
        note: `median ${ms(percentile(times.slice(WARM_UP), 0.5))}; plain filter of the names ${ms(yardstick)}; first search ${ms(first)}`,
      };
    };
    return [lineOf('search of 10,000, cold', cold, 10), lineOf('search of 10,000, hot', hot, 1)];
  } finally {
    await app.close();
    removeFolder(folder);
  }
}
