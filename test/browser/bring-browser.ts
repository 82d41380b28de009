import { findBrowser } from './find-browser.ts';

/** Unpacks the browser of the package once, before files of tests that run beside each other would do so into one place. */
export default async function bringBrowser(): Promise<void> {
  await findBrowser();
}
