import { addAnalogs } from '../../src/api/chat/analog-facts.ts';
import type { Analogs } from '../../src/api/chat/find-analogs.ts';
import {
  addMarket,
  addPeers,
  addSector,
  addSectors,
  type PeersAnswer,
} from '../../src/api/chat/market-facts.ts';
import { deriveStock, INCLUDE_FIELDS, joinStock } from '../../src/derive/compose.ts';
import { dteScores } from '../../src/derive/dte-scores.ts';
import { exposure } from '../../src/derive/exposure.ts';
import { addDte, addExposure } from '../../src/texts/facts/chain-facts.ts';
import { FactRegistry } from '../../src/texts/facts/fact-registry.ts';
import { addStock, type StockAnswer } from '../../src/texts/facts/stock-facts.ts';
import { richMarket, richView } from '../unit/docs/rich-stock.ts';

/** A stock of which everything is known, as an answer and as facts. */

export const RICH_AS_OF = '2024-03-13T16:00:00.000Z';

export function richAnswer(): StockAnswer {
  const view = richView();
  return JSON.parse(
    joinStock(deriveStock(view, richMarket(view)), { source: 'delayed', simulated: false }, [
      ...INCLUDE_FIELDS.keys(),
    ]),
  );
}

const HORIZONS = [1, 5, 20];

/** Twenty days that looked alike, four in five of which rose. */
const madeAnalogs = (share = 0.8): Analogs => ({
  of: { symbol: 'TEST', tradeDate: '2024-03-12' },
  candidates: 4_000,
  items: Array.from({ length: 20 }, (_, at) => ({
    symbol: `A${at}`,
    tradeDate: '2022-05-04',
    similarity: 0.9 - at / 100,
    distance: 1 + at / 10,
    returnsPct: new Map(HORIZONS.map((sessions) => [sessions, at - 3.5 + sessions / 7])),
  })),
  followed: HORIZONS.map((sessions) => ({
    sessions,
    n: 20,
    mean: 1.234,
    median: share > 0.5 ? 1.2 : -1.2,
    deviation: 3.456,
    q1: -0.789,
    q3: 2.345,
    shareUp: share,
  })),
});

const peers: PeersAnswer = {
  symbol: 'TEST',
  simulated: false,
  trade_date: '2024-03-12',
  window_from: '2023-03-10',
  window_to: '2024-03-11',
  local: 2.5,
  medium: 2.1,
  broad: 1.9,
  composite: 2.26,
  signal: 'bullish_divergence',
  weight_config: 'local_medium_broad',
  contaminated: false,
  contamination: 'none',
  return_pct: 3,
  implied_local_pct: 0.5,
  implied_medium_pct: 0.8,
  implied_broad_pct: 0.7,
  deviation_local_pct: 1,
  deviation_medium_pct: 1.05,
  deviation_broad_pct: 1.2,
  peers_local: 1,
  peers_medium: 30,
  peers_broad: 80,
  peers: [
    {
      symbol: 'MATE1',
      weight: 1,
      correlation: 0.5,
      reasons: ['correlation'],
      return_pct: 0.5,
      contribution_pct: 0.5,
    },
  ],
};

/** Facts of every kind that a registry can hold. */
export function richRegistry(): FactRegistry {
  const view = richView();
  const market = richMarket(view);
  const registry = new FactRegistry();
  addStock(registry, richAnswer(), RICH_AS_OF);
  addMarket(registry, market);
  addSectors(registry, market);
  addSector(registry, market.sectors[0]!, market.asOf);
  addPeers(registry, peers, '2024-03-12T20:00:00.000Z');
  const shown = { simulated: false, cached: false, sessions_old: 0, age_minutes: 240, computation_ms: 0 };
  addExposure(registry, { ...exposure(view, market), ...shown });
  for (const direction of ['bullish', 'bearish'] as const) {
    addDte(registry, { ...dteScores(view, market, { timeframe: 'swing', direction }), ...shown });
  }
  addAnalogs(registry, madeAnalogs(), '2024-03-12T20:00:00.000Z');
  return registry;
}

/** Every figure of a sentence, found without its help: dates as a whole, numbers with their sign. */
export const figuresOf = (text: string): string[] => [
  ...(text.match(/\d{4}-\d{2}-\d{2}|(?<![\w.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|\d+/g) ?? []),
];
