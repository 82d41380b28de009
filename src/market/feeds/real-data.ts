import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Calendar } from '../../base/calendar.ts';
import type { Feed } from '../feed.ts';
import { chainsFeed } from './chains.ts';
import { csvFeed } from './csv.ts';
import { leanFeed } from './lean.ts';
import { profilesFeed } from './profiles.ts';
import { referenceFeed } from './reference.ts';
import type { SplitSource } from './reference-splits.ts';
import { taqFeed } from './taq.ts';

/** A part of the real data folder. Where the folder does not hold it, the title says so and the feed has no units. */
export interface RealDataPart {
  readonly title: string;
  readonly feed: Feed;
}

interface PartPattern {
  readonly title: string;
  /** Folder inside the data folder, empty for the data folder itself. */
  readonly folder: string;
  /** Names of the files (or of the folder itself) that make up the part. */
  readonly names: RegExp;
  /** Units of the part that tell of splits, where it has any. */
  readonly splits?: RegExp;
  open(paths: readonly string[], calendar: Calendar): Feed;
}

/**
 * Parts in the order of import. Where two parts hold the same bar the later one wins, so weaker data comes first:
 *
 * 1. recent dailies: a vendor's chart prices, already adjusted for splits and not as traded;
 * 2. Lean: as traded, with its corporate actions, but the daily close is the last regular trade;
 * 3. S&P 500 dailies: as traded with the official close and consolidated volume, hence over Lean in 2016-2018;
 * 4. VIX: the index's own publisher, hence over the recent dailies' copy of it;
 * 5. five-minute bars before one-minute bars, and the single-year SPY file before the newer folder: finer and newer last;
 * 6. reported facts of companies, among themselves weaker and older first;
 * 7. option chains, each of an instant of its own, and one year of daily volatility;
 * 8. index constituents: the newest word of who a company is.
 */
const PARTS: readonly PartPattern[] = [
  {
    title: 'recent daily bars (split-adjusted)',
    folder: 'daily',
    names: /^recent_daily.*\.csv(\.gz)?$/,
    open: (paths, calendar) => csvFeed({ paths, calendar, interval: '1d', symbolFrom: 'column' }),
  },
  {
    title: 'Lean data folder',
    folder: '',
    names: /^lean$/,
    splits: /\/factor_files\//,
    open: ([path], calendar) => leanFeed(path!, calendar),
  },
  {
    title: 'S&P 500 daily bars (as traded)',
    folder: 'daily',
    names: /^sp500_daily.*\.zip$/,
    splits: /./,
    open: (paths, calendar) => csvFeed({ paths, calendar, interval: '1d', symbolFrom: 'file-name' }),
  },
  {
    title: 'VIX daily',
    folder: 'macro',
    names: /^vix-daily.*\.csv(\.gz)?$/,
    open: (paths, calendar) => csvFeed({ paths, calendar, interval: '1d', symbol: '^VIX' }),
  },
  {
    title: 'five-minute bars',
    folder: 'intraday/5min',
    names: /_5min\.csv(\.gz)?$/,
    open: (paths, calendar) => csvFeed({ paths, calendar, interval: '5m', symbolFrom: 'file-name' }),
  },
  {
    title: 'SPY one-minute bars',
    folder: 'intraday',
    names: /^spy_1min.*\.csv(\.gz)?$/,
    open: (paths, calendar) => csvFeed({ paths, calendar, interval: '1m', symbol: 'SPY' }),
  },
  {
    title: 'one-minute bars',
    folder: 'intraday/1min',
    names: /_1min\.csv(\.gz)?$/,
    open: (paths, calendar) => csvFeed({ paths, calendar, interval: '1m', symbolFrom: 'file-name' }),
  },
  {
    title: 'trades and quotes (TAQ)',
    folder: 'taq',
    names: /_(trades|quotes)\.csv(\.gz)?$/,
    open: (paths, calendar) => taqFeed({ paths, calendar }),
  },
  {
    title: 'reported facts of companies',
    folder: '',
    names: /^(analyst|earnings|fundamentals_analyst|insider|reference)$/,
    open: (folders, calendar) =>
      referenceFeed({ folders, splitSources: () => splitSourcesIn(dirname(folders[0]!), calendar) }),
  },
  {
    title: 'option chains',
    folder: 'options',
    names: /^(chains_json|cboe_quotedata|yfinance_csv)$/,
    open: (folders, calendar) => chainFolders(folders, calendar),
  },
  {
    title: 'daily volatility',
    folder: 'options',
    names: /^iv_history\.csv(\.gz)?$/,
    open: (paths, calendar) => chainsFeed({ paths, calendar }),
  },
  {
    title: 'index constituents',
    folder: 'reference',
    names: /^constituents\.csv(\.gz)?$/,
    open: ([path]) => profilesFeed({ path: path! }),
  },
];

/** Everything below the folder that the service understands, in the order in which it is to be imported. */
export async function realDataPlan(directory: string, calendar: Calendar): Promise<RealDataPart[]> {
  return Promise.all(PARTS.map((part) => partAt(directory, calendar, part)));
}

async function partAt(
  directory: string,
  calendar: Calendar,
  { title, folder, names, open }: PartPattern,
): Promise<RealDataPart> {
  const inside = join(directory, folder);
  const found = (await namesIn(inside)).filter((name) => names.test(name));
  if (found.length === 0)
    return { title: `${title}: not found in ${folder || 'the data folder'}`, feed: ABSENT };
  const paths = found.map((name) => join(inside, name));
  return { title, feed: open(paths, calendar) };
}

/** The parts of the folder that know of splits. */
function splitSourcesIn(directory: string, calendar: Calendar): Promise<SplitSource[]> {
  const parts = PARTS.filter(({ splits }) => splits !== undefined);
  return Promise.all(
    parts.map(async (part) => ({
      feed: (await partAt(directory, calendar, part)).feed,
      units: part.splits!,
    })),
  );
}

/** Chains of a folder's own files and of the folders in it. */
function chainFolders(folders: readonly string[], calendar: Calendar): Feed {
  return {
    name: 'chains',
    simulated: false,
    async units() {
      const inside = await Promise.all(
        folders.map(async (folder) => {
          const entries = await readdir(folder, { withFileTypes: true });
          const subfolders = entries
            .filter((entry) => entry.isDirectory())
            .map(({ name }) => join(folder, name));
          return [folder, ...subfolders.sort()];
        }),
      );
      return chainsFeed({ paths: inside.flat(), calendar }).units();
    },
  };
}

const ABSENT: Feed = { name: 'absent', simulated: false, units: async () => [] };

/** Names in a folder in their order; none when there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
