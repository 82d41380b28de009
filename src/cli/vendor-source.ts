import { existsSync, readFileSync } from 'node:fs';
import { canonicalSymbol } from '../base/symbols.ts';
import type { Timers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { LIVE_SOURCES } from '../market/feeds/live.ts';
import type { LiveSource } from '../market/live-source.ts';
import { alpacaVendor } from '../market/vendors/alpaca.ts';
import { massiveVendor } from '../market/vendors/massive.ts';
import type { Vendor, Wiring } from '../market/vendors/vendor.ts';

/** The market of the vendor whose key the settings hold; null without one. */
export function vendorSource(config: Config, timers: Timers): LiveSource | null {
  const vendor = vendorOf(config, { timers, random: Math.random });
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
