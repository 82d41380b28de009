import { existsSync, readFileSync } from 'node:fs';
import { canonicalSymbol } from '../base/symbols.ts';
import type { Timers } from '../base/timers.ts';
import type { Config } from '../config.ts';
import { LIVE_SOURCES } from '../market/feeds/live.ts';
import type { LiveSource } from '../market/live-source.ts';
import { alpacaVendor } from '../market/vendors/alpaca.ts';

/** The live vendor whose key the settings hold; null without one. */
export function vendorSource(config: Config, timers: Timers): LiveSource | null {
  const { alpacaKeyId: keyId, alpacaSecretKey: secretKey } = config;
  if (keyId === undefined || secretKey === undefined) return null;
  const access = {
    keyId,
    secretKey,
    feed: config.alpacaFeed,
    dataUrl: config.alpacaDataUrl,
    tradingUrl: config.alpacaTradingUrl,
    streamUrl: config.alpacaStreamUrl,
  };
  const vendor = alpacaVendor(access, { timers, random: Math.random });
  return LIVE_SOURCES.vendor({ vendor, chosen: chosenSymbols(config) });
}

/** Of `TIGRAPH_SYMBOLS`: a list, or a file with a symbol in each line. */
function chosenSymbols({ symbols }: Config): readonly string[] | 'all' | null {
  if (symbols === undefined || symbols === 'all') return symbols ?? null;
  const text = existsSync(symbols) ? readFileSync(symbols, 'utf8') : symbols;
  return [...new Set(text.split(/[\s,;]+/).flatMap((word) => (word === '' ? [] : canonicalSymbol(word))))];
}
