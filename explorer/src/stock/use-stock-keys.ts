import { useKeys } from '../shared/use-keys.ts';
import { withToggled } from './layers.ts';
import { INTERVALS, type StockSearch, type Tab } from './stock-search.ts';

const TAB_KEYS: Readonly<Record<string, Tab>> = {
  o: 'options',
  f: 'flow',
  c: 'company',
  n: 'news',
  a: 'ask',
};
const LAYER_KEYS = { l: 'levels', p: 'profile', g: 'gamma', t: 'patterns', e: 'events' } as const;

/** Keys of a stock's page: digits choose the interval, letters a tab or a layer of the chart. */
export function useStockKeys(
  layers: string,
  change: (part: Partial<StockSearch>, replace: boolean) => void,
): void {
  const keys = <Value>(
    named: Readonly<Record<string, Value>>,
    partOf: (value: Value) => Partial<StockSearch>,
  ) =>
    Object.fromEntries(Object.entries(named).map(([key, value]) => [key, () => change(partOf(value), true)]));
  useKeys({
    ...keys(Object.fromEntries(INTERVALS.map((one, at) => [`${at + 1}`, one])), (interval) => ({ interval })),
    ...keys(TAB_KEYS, (tab) => ({ tab })),
    ...keys(LAYER_KEYS, (layer) => ({ layers: withToggled(layers, layer) })),
  });
}
