import { BREADTH_STOCKS_MIN } from '../../analysis/market-state.ts';
import type { MarketView } from '../../tape/index.ts';
import type { FactRegistry } from '../../texts/facts/fact-registry.ts';
import {
  absent,
  fieldsOf,
  floored,
  itemOfFacts,
  type Piece,
  part,
  partOfFacts,
  shortened,
} from '../../texts/piece.ts';
import { absence } from '../answers/absences.ts';
import type { MarketContext } from '../market/schema.ts';
import type { Part } from './load-market-context.ts';
import type { StockContext } from './load-stock-context.ts';
import type { PeersAnswer, SectorView } from './market-facts.ts';
import { untrusted } from './untrusted.ts';

const RETURNS = 'return_1d_pct return_5d_pct return_20d_pct';

/** Parts of the market as a whole: what they show, what their short form keeps, and why they may be missing. */
const PARTS = {
  vix: {
    fields: 'level regime change_1d_pct percentile',
    short: 'level regime change_1d_pct',
    absence: absence('absent.vix'),
  },
  index: {
    fields: `last ${RETURNS} sma_50 sma_200 slope_20d_pct`,
    short: RETURNS,
    absence: absence('absent.index'),
  },
  breadth: {
    fields: 'stocks advancers decliners above_sma_50_pct above_sma_200_pct new_highs new_lows',
    short: 'advancers decliners',
    absence: absence('absent.breadth', { stocks: BREADTH_STOCKS_MIN }),
  },
};

/** The market as a whole, in pieces of `market_context`. */
export function marketPieces(registry: FactRegistry, context: Part<MarketContext>): Piece[] {
  return [
    ...Object.entries(PARTS).flatMap(([name, { fields, short, absence: reason }]) => {
      const of = fieldsOf(`market.${name}`, fields);
      const shown = partOfFacts(['market', 'market_context', name], registry, of);
      return shown.length > 0 ? floored(shortened(shown, short)) : [absent('market_context', name, reason)];
    }),
    ...(context.value === null
      ? [absent('market_context', 'regime', context.reason)]
      : contextPieces(context.value, registry)),
  ];
}

export const marketFrame = () => ({ sectors: [], unavailable: [] });

function contextPieces({ regime, clock }: MarketContext, registry: FactRegistry): Piece[] {
  const { phase, early_close, next_session } = clock;
  const { regime: name, index_trend, decided_by } = regime;
  const confidence = fieldsOf('market.regime', 'confidence');
  const shown = partOfFacts(['regime', 'market_context', 'regime'], registry, confidence, {
    regime: name,
    index_trend,
    decided_by,
  });
  const due = fieldsOf(
    'market.events',
    'monthly_expiration sessions_to_expiration results_today results_next_5_sessions halts',
  );
  return [
    ...floored(shortened(shown, 'regime index_trend')),
    part(['regime', 'market_context', 'clock'], { phase, early_close, next_session }),
    ...partOfFacts(['regime', 'market_context', 'events'], registry, due),
  ];
}

export function sectorsPieces({ sectors }: MarketView, registry: FactRegistry): Piece[] {
  return sectors.flatMap(({ rank, sector }) => {
    const more = { rank, untrusted_text: { sector: untrusted(sector) } };
    const returns = fieldsOf(`sectors.${rank}`, RETURNS);
    return itemOfFacts(['sectors', 'market_context', 'sectors'], registry, returns, more);
  });
}

const PEERS_SHOWN = 8;

/** The sector of a stock and those who trade alike, in pieces of `sector_data`. */
export function sectorPieces({ sector, peers, registry }: StockContext): Piece[] {
  const own = ownSector(sector, registry);
  const compared = peerPieces(peers, registry);
  // A fund has no sector, and its peers speak for the section.
  return [...floored(own), ...floored(compared, sector.value === null ? 1 : 0)];
}

export const sectorFrame = () => ({ peers: [], unavailable: [] });

function ownSector(sector: Part<SectorView>, registry: FactRegistry): Piece[] {
  if (sector.value === null) return [absent('sector_data', 'sector', sector.reason)];
  const more = { untrusted_text: { sector: untrusted(sector.value.sector) } };
  const fields = fieldsOf('sector', `rank of stocks ${RETURNS}`);
  const shown = partOfFacts(['sector', 'sector_data', 'sector'], registry, fields, more);
  return shortened(shown, 'rank of return_1d_pct return_5d_pct');
}

function peerPieces(peers: Part<PeersAnswer>, registry: FactRegistry): Piece[] {
  if (peers.value === null) return [absent('sector_data', 'peers', peers.reason)];
  const fields = fieldsOf('peers', 'trade_date signal composite return_pct implied_pct contaminated');
  const divergence = partOfFacts(['peers', 'sector_data', 'divergence'], registry, fields);
  return [
    ...shortened(divergence, 'signal composite return_pct implied_pct'),
    ...peers.value.peers.slice(0, PEERS_SHOWN).flatMap(({ symbol }) => {
      const ofPeer = fieldsOf(`peer.${symbol}`, 'return_pct weight correlation');
      return itemOfFacts(['peers', 'sector_data', 'peers'], registry, ofPeer, { symbol });
    }),
  ];
}
