import { recordedSession } from '../live/replay-from-tape.ts';
import type { LiveSource } from '../live/source.ts';
import { vendorMarket } from '../live/vendors/vendor-market.ts';
import { simulatedMarket } from '../simulated/live.ts';

/** Every source of running sessions by name, each as the factory that makes it of its settings. */
export const LIVE_SOURCES = {
  simulation: simulatedMarket,
  recording: recordedSession,
  vendor: vendorMarket,
} as const satisfies Readonly<Record<string, (settings: never) => LiveSource>>;
