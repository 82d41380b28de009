import type { MarketView } from '../../market/tape/index.ts';
import type { MarketContext } from '../market/schema.ts';
import type { FactRegistry } from './fact-registry.ts';
import type { StockContext } from './load-stock-context.ts';
import type { SectorView } from './market-facts.ts';
import type { Part } from './part.ts';
import type { PeersAnswer } from './peer-facts.ts';
import { fieldsOf, item, itemOfFacts, type Piece, part, partOfFacts, type Section } from './piece.ts';
import { untrusted } from './untrusted.ts';

const RETURNS = ['return_1d_pct', 'return_5d_pct', 'return_20d_pct'];

/** Parts of the market as a whole, and why each may be null. */
const PARTS: readonly (readonly [name: string, fields: Readonly<Record<string, string>>, absence: string])[] =
  [
    [
      'vix',
      fieldsOf('market.vix', 'level', 'regime', 'change_1d_pct', 'percentile'),
      'No VIX data is known.',
    ],
    [
      'index',
      fieldsOf('market.index', 'last', ...RETURNS, 'sma_50', 'sma_200', 'slope_20d_pct'),
      'No market index or index fund has data.',
    ],
    [
      'breadth',
      fieldsOf(
        'market.breadth',
        'stocks',
        'advancers',
        'decliners',
        'above_sma_50',
        'above_sma_200',
        'new_highs',
        'new_lows',
      ),
      'Too few stocks have a bar of the session.',
    ],
  ];

/** The market as a whole, in pieces of `market_context`. */
export function marketPieces(registry: FactRegistry, context: Part<MarketContext>): Piece[] {
  return [
    ...PARTS.flatMap(([name, fields, reason]) => {
      const shown = partOfFacts(['market', 'market_context', name], registry, fields);
      return shown.length > 0 ? shown : [absent('market_context', name, reason)];
    }),
    ...(context.value === null
      ? [absent('market_context', 'regime', context.reason)]
      : contextPieces(context.value, registry)),
  ];
}

export const marketFrame = () => ({ sectors: [], unavailable: [] });

function contextPieces({ regime, clock }: MarketContext, registry: FactRegistry): Piece[] {
  const { phase, early_close, next_session } = clock;
  const { regime: name, index_trend: trend, decided_by: rules } = regime;
  return [
    ...partOfFacts(
      ['regime', 'market_context', 'regime'],
      registry,
      fieldsOf('market.regime', 'confidence'),
      {
        regime: name,
        index_trend: trend,
        decided_by: rules,
      },
    ),
    part(['regime', 'market_context', 'clock'], { phase, early_close, next_session }),
    ...partOfFacts(
      ['regime', 'market_context', 'events'],
      registry,
      fieldsOf(
        'market.events',
        'monthly_expiration',
        'sessions_to_expiration',
        'results_today',
        'results_next_5_sessions',
        'halts',
      ),
    ),
  ];
}

/** Every sector by its place, for pages about the market. */
export function sectorsPieces({ sectors }: MarketView, registry: FactRegistry): Piece[] {
  return sectors.flatMap(({ rank, sector }) => {
    const more = { rank, untrusted_text: { sector: untrusted(sector) } };
    return itemOfFacts(
      ['sectors', 'market_context', 'sectors'],
      registry,
      fieldsOf(`sectors.${rank}`, ...RETURNS),
      more,
    );
  });
}

const PEERS_SHOWN = 8;

/** The sector of a stock and those who trade alike, in pieces of `sector_data`. */
export function sectorPieces({ sector, peers, registry }: StockContext): Piece[] {
  return [...ownSector(sector, registry), ...peerPieces(peers, registry)];
}

export const sectorFrame = () => ({ peers: [], unavailable: [] });

const absent = (section: Section, name: string, reason: string): Piece =>
  item(['reasons', section, 'unavailable'], { part: name, reason });

function ownSector(sector: Part<SectorView>, registry: FactRegistry): Piece[] {
  if (sector.value === null) return [absent('sector_data', 'sector', sector.reason)];
  const more = { untrusted_text: { sector: untrusted(sector.value.sector) } };
  const fields = fieldsOf('sector', 'rank', 'of', 'stocks', ...RETURNS);
  return partOfFacts(['sector', 'sector_data', 'sector'], registry, fields, more);
}

function peerPieces(peers: Part<PeersAnswer>, registry: FactRegistry): Piece[] {
  if (peers.value === null) return [absent('sector_data', 'peers', peers.reason)];
  const fields = fieldsOf(
    'peers',
    'trade_date',
    'signal',
    'composite',
    'return_pct',
    'implied_pct',
    'contaminated',
  );
  return [
    ...partOfFacts(['peers', 'sector_data', 'divergence'], registry, fields),
    ...peers.value.peers.slice(0, PEERS_SHOWN).flatMap(({ symbol }) => {
      const ofPeer = fieldsOf(`peer.${symbol}`, 'return_pct', 'weight', 'correlation');
      return itemOfFacts(['peers', 'sector_data', 'peers'], registry, ofPeer, { symbol });
    }),
  ];
}
