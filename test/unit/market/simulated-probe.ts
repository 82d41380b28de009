import { newYorkCalendar } from '../../../src/base/calendar.ts';
import type { OptionChain, VolatilityColumns } from '../../../src/market/chains.ts';
import type { AnyFact } from '../../../src/market/facts.ts';
import type { Delivery } from '../../../src/market/feed.ts';
import type {
  BarColumns,
  CorporateAction,
  FlowMinuteColumns,
  QuoteBarColumns,
} from '../../../src/market/observations.ts';
import { type SimulatedFeedOptions, simulatedFeed } from '../../../src/simulated/feed.ts';

/** Half day 2025-11-28 lies in the last sessions of this window. */
export const END = '2025-12-05';

export const feedOf = (options: Partial<SimulatedFeedOptions> = {}) =>
  simulatedFeed({
    symbols: 10,
    days: 40,
    seed: 7,
    end: END,
    minuteSessions: 8,
    calendar: newYorkCalendar(),
    ...options,
  });

/** All that was delivered of one symbol. */
export interface Delivered {
  facts: readonly AnyFact[];
  actions: readonly CorporateAction[];
  daily: BarColumns | null;
  minutes: BarColumns[];
  quotes: QuoteBarColumns[];
  flowMinutes: FlowMinuteColumns[];
  chains: OptionChain[];
  volatility: VolatilityColumns | null;
}

/** Reads a feed, or only the unit of one symbol of it. */
export async function deliveredBySymbol(
  options: Partial<SimulatedFeedOptions>,
  only?: string,
): Promise<Map<string, Delivered>> {
  const bySymbol = new Map<string, Delivered>();
  for (const unit of await feedOf(options).units()) {
    if (only !== undefined && !unit.key.endsWith(`/${only}`)) continue;
    for await (const delivery of unit.read()) {
      if (delivery.kind === 'refused') throw new Error('the simulated market refuses nothing');
      const symbol = delivery.kind === 'chain' ? delivery.chain.symbol : delivery.symbol;
      let of = bySymbol.get(symbol);
      if (of === undefined) {
        of = {
          facts: [],
          actions: [],
          daily: null,
          minutes: [],
          quotes: [],
          flowMinutes: [],
          chains: [],
          volatility: null,
        };
        bySymbol.set(symbol, of);
      }
      take(of, delivery);
    }
  }
  return bySymbol;
}

function take(of: Delivered, delivery: Exclude<Delivery, { kind: 'refused' }>): void {
  if (delivery.kind === 'facts') of.facts = delivery.facts;
  else if (delivery.kind === 'actions') of.actions = delivery.actions;
  else if (delivery.kind === 'quotes') of.quotes.push(delivery.columns);
  else if (delivery.kind === 'flow-minutes') of.flowMinutes.push(delivery.columns);
  else if (delivery.kind === 'chain') of.chains.push(delivery.chain);
  else if (delivery.kind === 'volatility') of.volatility = delivery.columns;
  else if (delivery.interval === '1d') of.daily = delivery.columns;
  else of.minutes.push(delivery.columns);
}

/** Rows as text by their time, for comparing windows. */
export function rowsByTime(columns: readonly { readonly time: Float64Array }[]): Map<number, string> {
  const rows = new Map<number, string>();
  for (const part of columns) {
    const all = Object.values(part) as Float64Array[];
    for (const [row, time] of part.time.entries()) rows.set(time, all.map((column) => column[row]).join());
  }
  return rows;
}
