import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newYorkCalendar } from '../../../src/base/calendar.ts';
import { SETTLEMENTS } from '../../../src/base/option-roots.ts';
import { type CsvFeed, csvFeed } from '../../../src/files/bars/csv.ts';
import { isRefused } from '../../../src/files/findings.ts';
import { factsFeed } from '../../../src/files/facts/feed.ts';
import { leanFeed } from '../../../src/files/lean/feed.ts';
import { taqFeed } from '../../../src/files/taq.ts';
import type { OptionChain } from '../../../src/market/chains.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import { validateChain } from '../../../src/market/validate-chain.ts';
import { layoutsFeed } from './chain-of.ts';
import { deliveriesOf, written } from './feed-probe.ts';

/** The cases of fixtures/layouts, whose README says how they are written. */

const calendar = newYorkCalendar();
const LAYOUTS = resolve(import.meta.dirname, '../../../fixtures/layouts');

/** Files that are read together, by their names, and how. */
interface Import {
  readonly files: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, never>>;
  readonly expected: string;
}

/** The imports of each case of a text, by its title. */
export function casesIn(text: string): [title: string, imports: Import[]][] {
  return text
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...sections] = part.trimEnd().split(/\n--- /);
      const imports: Import[] = [];
      let files: Record<string, string> = {};
      for (const section of sections) {
        const [, name = '', given, body = ''] = /^([^\n]*?)(?: (["{][^\n]*))?(?:\n(.*))?$/s.exec(section)!;
        if (name === 'expected') {
          imports.push({ files, options: JSON.parse(given ?? '{}'), expected: body });
          files = {};
        } else files[name] = given === undefined ? body : JSON.parse(given);
      }
      const [title = ''] = head.split('\n');
      if (imports.length === 0 || Object.keys(files).length > 0) throw new Error(`${title} expects nothing`);
      return [title, imports];
    });
}

/** Each source of a reader, a text of cases. */
export const sourcesOf = (reader: string): [source: string, text: string][] =>
  readdirSync(join(LAYOUTS, reader)).map((name) => [
    name.replace(/\.\w+$/, ''),
    readFileSync(join(LAYOUTS, reader, name), 'utf8'),
  ]);

type Written = ReturnType<typeof written>;
const barsFeed = ({ paths }: Written, options: object) => csvFeed({ paths, calendar, ...options });
const FEEDS = {
  bars: barsFeed,
  readings: barsFeed,
  chains: ({ folder }: Written, { asOf }: { asOf?: string }) =>
    layoutsFeed(folder, calendar, asOf === undefined ? undefined : Date.parse(asOf)),
  facts: ({ folder }: Written, options: object) => factsFeed({ paths: [folder], calendar, ...options }),
  lean: ({ folder }: Written) => leanFeed(folder, calendar),
  taq: ({ paths }: Written) => taqFeed({ paths, calendar }),
};
export type Reader = keyof typeof FEEDS;
export const READERS = Object.keys(FEEDS) as Reader[];

/** What an import gives, as its case says it. */
export async function said(root: string, reader: Reader, { files, options }: Omit<Import, 'expected'>) {
  const feed = FEEDS[reader](written(root, files), options);
  const readings = reader === 'readings' ? await Array.fromAsync((feed as CsvFeed).readings()) : [];
  const parts = readings.flatMap(({ read }) =>
    isRefused(read)
      ? [`no reading, ${read.reason}: ${read.example}`]
      : Object.entries(read.parts).map(([part, { value }]) => `${part}: ${value}`),
  );
  return [...parts, ...(await deliveriesOf(feed)).flatMap(linesOf)].join('\n');
}

const instant = (time: number): string =>
  new Date(time)
    .toISOString()
    .replace('T00:00:00.000Z', '')
    .replace(/(:00)?\.000Z$/, 'Z');

/** A row without what is unknown. */
const row = (columns: Readonly<Record<string, Float64Array>>, at: number): string =>
  Object.entries(columns)
    .filter(([, column]) => !Number.isNaN(column[at]))
    .map(([name, { [at]: value }]) => {
      if (name === 'time' || name === 'expiration') return instant(value!);
      if (name === 'right') return value === 1 ? 'call' : 'put';
      return name === 'settlement' ? SETTLEMENTS[value!] : `${name} ${value}`;
    })
    .join(', ');

const rows = (columns: object): string[] => {
  const named = columns as Record<string, Float64Array>;
  return Array.from(Object.values(named)[0]!, (_, at) => `  ${row(named, at)}`);
};

function chainLines(chain: OptionChain): string[] {
  const { chain: valid, refused } = validateChain(chain);
  const raw = rows(chain.contracts);
  const kept = valid === null ? [] : rows(valid.contracts);
  const isSame = raw.toSorted().join() === kept.toSorted().join();
  return [
    `chain ${chain.symbol} ${instant(chain.takenAt)}, underlying ${chain.underlyingPrice}, ${chain.style}, multiplier ${chain.multiplier}`,
    ...raw,
    ...(isSame
      ? []
      : ['  of which are valid:', ...kept, ...refused.map(({ reason, count }) => `  ${count} ${reason}`)]),
  ];
}

function linesOf(delivery: Delivery): string[] {
  switch (delivery.kind) {
    case 'refused':
      return [`refused ${delivery.count} ${delivery.reason} ${delivery.where}: ${delivery.example}`];
    case 'chain':
      return chainLines(delivery.chain);
    case 'actions':
      return [
        `actions ${delivery.symbol}`,
        ...delivery.actions.map(({ exDate, kind, value }) => `  ${instant(exDate)} ${kind} ${value}`),
      ];
    case 'facts':
      return [
        `facts ${delivery.symbol}`,
        ...delivery.facts.map(({ kind, knownAt, value }) => {
          const said = Object.fromEntries(Object.entries(value).filter(([, field]) => field !== null));
          return `  ${kind} known ${instant(knownAt)} ${JSON.stringify(said)}`;
        }),
      ];
    default: {
      const interval = 'interval' in delivery ? ` ${delivery.interval}` : '';
      return [`${delivery.kind} ${delivery.symbol}${interval}`, ...rows(delivery.columns)];
    }
  }
}
