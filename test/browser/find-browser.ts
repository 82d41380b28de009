import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** A real browser for tests, measurements and screenshots of the Explorer. */

const PLACES = [
  process.env.CHROME_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/opt/google/chrome/chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The installed package of a browser, which `npm run browser:install` brings. */
const PACKAGE = '@sparticuz/chromium';

/** The package is made for places without processes; with one alone, a second context takes all of them down. */
const OF_ONE_PROCESS = new Set(['--single-process', '--in-process-gpu', '--no-zygote']);

interface Installed {
  readonly path: string;
  readonly args: readonly string[];
}

/** A browser of this machine; null where there is none. */
export async function findBrowser(): Promise<Installed | null> {
  const path = PLACES.find((place) => place !== undefined && existsSync(place));
  if (path !== undefined) return { path, args: [] };
  try {
    const { default: carried } = (await import(PACKAGE)) as {
      default: { executablePath(): Promise<string>; args: string[] };
    };
    const args = carried.args.filter((arg) => !OF_ONE_PROCESS.has(arg));
    return { path: await carried.executablePath(), args };
  } catch {
    return null;
  }
}

/** Talks to nobody but the pages that it is sent to. */
const QUIET = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
];

export const openBrowser = ({ path, args }: Installed): Promise<Browser> =>
  chromium.launch({ executablePath: path, args: [...args, ...QUIET] });
