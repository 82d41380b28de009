import { existsSync, readFileSync } from 'node:fs';
import type { Clock } from '../base/clock.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import type { Timers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import type { LiveSource } from '../live/source.ts';
import { alpacaVendor } from '../live/vendors/alpaca.ts';
import { massiveVendor } from '../live/vendors/massive.ts';
import type { Vendor, Wiring } from '../live/vendors/vendor.ts';
import { LIVE_SOURCES } from './live-sources.ts';

/** The market of the vendor whose key the settings hold; null without one. */
export function vendorSource(config: Config, timers: Timers, clock: Clock): LiveSource | null {
  const vendor = vendorOf(config, { timers, clock, random: Math.random });
  return vendor === null ? null : LIVE_SOURCES.vendor({ vendor, chosen: chosenSymbols(config) });
}

function vendorOf(config: Config, wiring: Wiring): Vendor | null {
  const { alpacaKeyId: keyId, alpacaSecretKey: secretKey, massiveApiKey: apiKey } = config;
  if (keyId !== undefined && secretKey !== undefined) {
    const { alpacaFeed: feed, alpacaDataUrl: dataUrl, alpacaTradingUrl: tradingUrl } = config;
    const streamUrl = config.alpacaStreamUrl;
    return alpacaVendor({ keyId, secretKey, feed, dataUrl, tradingUrl, streamUrl }, wiring);
  }
  if (apiKey === undefined) return null;
  const { massiveFeed: feed, massiveUrl: url, massiveStreamUrl: streamUrl } = config;
  return massiveVendor({ apiKey, feed, url, streamUrl }, wiring);
}

/** Of `TIGRAPH_SYMBOLS`: a list, or a file with a symbol in each line. */
function chosenSymbols({ symbols }: Config): readonly string[] | 'all' | null {
  if (symbols === undefined || symbols === 'all') return symbols ?? null;
  const text = existsSync(symbols) ? readFileSync(symbols, 'utf8') : symbols;
  return [...new Set(text.split(/[\s,;]+/).flatMap((word) => (word === '' ? [] : canonicalSymbol(word))))];
}
