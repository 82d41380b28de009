import type { SteppedTimers } from '../../../src/base/timers.ts';
import { alpacaVendor } from '../../../src/live/vendors/alpaca.ts';
import { massiveVendor } from '../../../src/live/vendors/massive.ts';
import type { Vendor } from '../../../src/live/vendors/vendor.ts';
import { AlpacaDouble, type MarketOfDouble } from './alpaca.ts';
import type { AnyDouble } from './double.ts';
import { MassiveDouble } from './massive.ts';

/** A feed of a vendor, as the suites that are the same for all of them take it. */
export interface FeedOfVendor {
  readonly title: string;
  /** What a running session has. */
  readonly has: { readonly volume: boolean; readonly flow: boolean; readonly chains: boolean };
  /** Its double, and what connects to it once it listens. */
  open(
    market: MarketOfDouble,
    timers: SteppedTimers,
    settings?: { readonly pageRows?: number },
  ): readonly [AnyDouble, () => Vendor];
}

const random = (): number => 0.5;

/** Every feed that the suites of a session, its faults, its order flow and its option chains run against. */
export const FEEDS: readonly FeedOfVendor[] = [
  {
    title: 'Alpaca, all exchanges',
    has: { volume: true, flow: true, chains: true },
    open(market, timers, settings) {
      const double = new AlpacaDouble(market, timers.now, { ...settings, opensSip: true });
      return [double, () => alpacaVendor({ ...double.access, feed: 'sip' }, { timers, random })];
    },
  },
  {
    title: 'Alpaca, IEX',
    has: { volume: false, flow: false, chains: true },
    open(market, timers, settings) {
      const double = new AlpacaDouble(market, timers.now, settings);
      return [double, () => alpacaVendor(double.access, { timers, random })];
    },
  },
  {
    title: 'Massive',
    has: { volume: true, flow: true, chains: true },
    open(market, timers, settings) {
      const double = new MassiveDouble(market, timers.now, settings);
      return [double, () => massiveVendor(double.access, { timers, random })];
    },
  },
];
