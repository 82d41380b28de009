import type { Queryable } from '../../database/database.ts';
import { rounded } from '../../derive/rounding.ts';
import { readPeerDays } from '../../graph/peer-days.ts';
import type { PeerDay } from '../../market/tape/index.ts';

/** A stock and one of its peers on a date, as told by the first of the two. */
export interface PeerEdge {
  readonly symbol: string;
  readonly peer: string;
  readonly props: {
    /** Share of the weight of all direct peers of `symbol`. */
    readonly weight: number;
    readonly correlation: number;
    readonly reasons: readonly string[];
  };
}

export interface PeerEdges {
  /** Stocks with peers on the date. */
  readonly known: number;
  readonly edges: readonly PeerEdge[];
}

/**
 * The peers of stocks on a date, stock by stock, the heaviest first. They follow from the sessions before its month, unlike
 * the `PEER_OF` edges of the graph, which are of the newest topology whatever the date.
 */
export async function peerEdges(
  database: Queryable,
  symbols: readonly string[],
  tradeDate: string,
  signal: AbortSignal,
): Promise<PeerEdges> {
  const days = await readPeerDays(
    database,
    symbols.map((symbol) => ({ symbol, tradeDate })),
    { signal },
  );
  const textOf = new Map(
    days.flatMap(({ symbol, value }) => (value === null ? [] : [[symbol, value] as const])),
  );
  const edges = symbols.flatMap((symbol) => {
    const text = textOf.get(symbol);
    if (text === undefined) return [];
    const { peers } = JSON.parse(text) as PeerDay;
    return peers.map(({ symbol: peer, weight, correlation, reasons }) => ({
      symbol,
      peer,
      props: { weight: rounded(weight), correlation: rounded(correlation), reasons },
    }));
  });
  return { known: textOf.size, edges };
}
