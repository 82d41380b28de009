import { VIX_REGIME_FROM, vixRegime } from '../../analysis/market-state.ts';
import type { MarketView } from '../../tape/index.ts';
import type { FactRegistry, Line, Origin } from '../../texts/facts/fact-registry.ts';
import type { MarketContext } from '../market/schema.ts';
import type { getPeers } from '../stocks/get-peers.ts';

export type SectorView = MarketView['sectors'][number];

/** Edges of the regimes of the volatility index, the lowest first. */
const VIX_EDGES = Object.values(VIX_REGIME_FROM).sort((one, other) => one - other);

/** Adds the market as a whole: `market.vix`, `market.index`, `market.breadth`. */
export function addMarket(registry: FactRegistry, market: MarketView): void {
  const origin = originOf(market.asOf);
  registry.addAll('market.vix', origin, vixLines(market));
  registry.addAll('market.index', origin, indexLines(market));
  registry.addAll('market.breadth', origin, breadthLines(market));
}

/** Adds the rank of one sector: `sector.rank` and its returns. */
export function addSector(registry: FactRegistry, sector: SectorView, asOf: number): void {
  registry.addAll('sector', originOf(asOf), [
    ['rank', 'rank of the sector', sector.rank, 'count'],
    ['of', 'sectors ranked', sector.of, 'count'],
    ['place', 'place of the sector among all', sector.rank / sector.of, 'fraction'],
    ['stocks', 'stocks of the sector', sector.stocks, 'count'],
    ...returnLines('sector', sector),
  ]);
}

/** Adds every sector by its place, for pages about the market: `sectors.1` on. */
export function addSectors(registry: FactRegistry, { sectors, asOf }: MarketView): void {
  for (const sector of sectors) {
    registry.addAll(`sectors.${sector.rank}`, originOf(asOf), returnLines('sector', sector));
  }
}

/** Adds the regime of the market and what is due: `market.regime`, `market.events`. */
export function addContext(registry: FactRegistry, { regime, events, as_of: instant }: MarketContext): void {
  const origin: Origin = { instant, source: 'market_context' };
  registry.addAll('market.regime', origin, [
    ['name', 'regime of the market', regime.regime],
    ['confidence', 'share of the fired rules behind the regime of the market', regime.confidence, 'fraction'],
  ]);
  const { monthly_expiration: expiration, results_today: today, results_next_5_sessions: next } = events;
  registry.addAll('market.events', origin, [
    ['monthly_expiration', 'monthly expiration of options', expiration?.date],
    ['sessions_to_expiration', 'sessions to the monthly expiration', expiration?.sessions, 'count'],
    ['results_today', 'companies with results on the day', today?.count, 'count'],
    ['results_next_5_sessions', 'companies with results in the next five sessions', next?.count, 'count'],
    ['halts', 'stocks whose trading is halted', events.halts, 'count'],
  ]);
}

const originOf = (asOf: number): Origin => ({
  instant: new Date(asOf).toISOString(),
  source: 'market_day',
});

function vixLines({ vix }: MarketView): Line[] {
  if (vix === null) return [];
  const { level } = vix;
  const above = VIX_EDGES.find((edge) => edge > level);
  const below = VIX_EDGES.findLast((edge) => edge <= level);
  const name = 'volatility index';
  return [
    ['level', name, level, 'index points'],
    ['regime', `regime of the ${name}`, vixRegime(level), null],
    ['change_1d_pct', `change of the ${name}`, vix.change1dPct, 'percent'],
    ['percentile', `place of the ${name} in its year`, vix.percentile252, 'percent'],
    ['edge_above', `next higher regime of the ${name}`, above, 'index points'],
    ['edge_below', `next lower regime of the ${name}`, below, 'index points'],
  ];
}

function indexLines({ index }: MarketView): Line[] {
  if (index === null) return [];
  return [
    ['last', 'market index', index.last, 'USD'],
    ...returnLines('market', index),
    ['sma_50', 'fifty-session average of the market', index.sma50, 'USD'],
    ['sma_200', 'two-hundred-session average of the market', index.sma200, 'USD'],
    ['slope_20d_pct', 'slope of the market over twenty sessions', index.slope20Pct, 'percent'],
  ];
}

const percentOf = (share: number | null): number | null => (share === null ? null : 100 * share);

function breadthLines({ breadth }: MarketView): Line[] {
  if (breadth === null) return [];
  return [
    ['stocks', 'stocks in the breadth', breadth.stocks, 'count'],
    ['advancers', 'advancing stocks', breadth.advancers, 'count'],
    ['decliners', 'declining stocks', breadth.decliners, 'count'],
    ['above_sma_50_pct', 'stocks above the fifty-session average', percentOf(breadth.aboveSma50), 'percent'],
    [
      'above_sma_200_pct',
      'stocks above the two-hundred-session average',
      percentOf(breadth.aboveSma200),
      'percent',
    ],
    ['new_highs', 'stocks at a new high of a year', breadth.newHighs252, 'count'],
    ['new_lows', 'stocks at a new low of a year', breadth.newLows252, 'count'],
  ];
}

type Returns = Pick<SectorView, 'return1dPct' | 'return5dPct' | 'return20dPct'>;

const returnLines = (of: string, { return1dPct, return5dPct, return20dPct }: Returns): Line[] => [
  ['return_1d_pct', `return of the ${of} over a session`, return1dPct, 'percent'],
  ['return_5d_pct', `return of the ${of} over five sessions`, return5dPct, 'percent'],
  ['return_20d_pct', `return of the ${of} over twenty sessions`, return20dPct, 'percent'],
];

export type PeersAnswer = Awaited<ReturnType<typeof getPeers>>;

/** Adds how a stock did against its peers, `peers`, and each of them, `peer.SYMBOL`. */
export function addPeers(registry: FactRegistry, answer: PeersAnswer, closedAt: string): void {
  const of: Origin = { instant: closedAt, source: 'peer_day' };
  registry.addAll('peers', of, [
    ['trade_date', 'session of the comparison with peers', answer.trade_date],
    ['signal', 'divergence from peers', answer.signal],
    ['composite', 'divergence from peers', answer.composite, 'deviations'],
    ['return_pct', 'return of the session compared', answer.return_pct, 'percent'],
    ['implied_pct', 'return that the peers imply', answer.implied_local_pct, 'percent'],
    ['contaminated', 'whether one event dominates the peers', answer.contaminated],
  ]);
  for (const { symbol, weight, correlation, return_pct, contribution_pct } of answer.peers) {
    registry.addAll(`peer.${symbol}`, of, [
      ['return_pct', 'return of a peer', return_pct, 'percent'],
      ['weight', 'weight of a peer', weight, 'fraction'],
      ['correlation', 'correlation with a peer', correlation, 'fraction'],
      ['contribution_pct', 'part of a peer in the implied return', contribution_pct, 'percent'],
    ]);
  }
}
