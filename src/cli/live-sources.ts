import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import type { Timers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { recordedSession } from '../live/replay-from-tape.ts';
import type { LiveSource } from '../live/source.ts';
import { VENDORS } from '../live/vendors/index.ts';
import { vendorMarket } from '../live/vendors/vendor-market.ts';
import { simulatedMarket } from '../simulated/live.ts';

/** Every source of running sessions by name, each as the factory that makes it of its settings. */
export const LIVE_SOURCES = {
  simulation: simulatedMarket,
  recording: recordedSession,
  vendor: vendorMarket,
} as const satisfies Readonly<Record<string, (settings: never) => LiveSource>>;

/** The market of the vendor whose key the settings hold; null without one. */
export async function vendorSource(config: Config, timers: Timers, clock: Clock): Promise<LiveSource | null> {
  if (config.vendor === null) return null;
  const { name, access } = config.vendor;
  const vendor = await VENDORS[name]!.open(access, { timers, clock, random: Math.random });
  return LIVE_SOURCES.vendor({ vendor, chosen: chosenSymbols(config) });
}

/** Of `TIGRAPH_SYMBOLS`: a list, or a file with a symbol in each line. */
function chosenSymbols({ symbols }: Config): readonly string[] | 'all' | null {
  if (symbols === undefined || symbols === 'all') return symbols ?? null;
  const text = existsSync(symbols) ? readFileSync(symbols, 'utf8') : symbols;
  return [...new Set(text.split(/[\s,;]+/).flatMap((word) => (word === '' ? [] : canonicalSymbol(word))))];
}
