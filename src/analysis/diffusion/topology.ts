import { divergenceDeviations } from './divergence.ts';
import { nearestStocks } from './nearest.ts';
import { peerGraph } from './peer-graph.ts';
import { beyondMarket, type ReturnTable, standardised } from './returns.ts';
import { constantCorrelationShrinkage, type Shrinkage } from './shrinkage.ts';
import { type ReportedTies, tieColumns } from './ties.ts';
import { type PeerWalk, peerWalk } from './walk.ts';

/** The peers of a date, and their ordinary divergences. */
export interface Topology {
  /** In the order of the stocks of the walk's graph. */
  readonly symbols: readonly string[];
  readonly walk: PeerWalk;
  /** By scale the deviation of each stock's divergences; NaN where it is not known. */
  readonly deviations: readonly Float64Array[];
  readonly shrinkage: Shrinkage;
}

/**
 * The peers of many stocks from their returns over a window and their reported ties. Peers come from returns without
 * the market's part; implied returns and divergences from returns as they are.
 *
 * @param symbols one for each row of the table
 * @param ties one for each row of the table
 */
export function buildTopology(
  symbols: readonly string[],
  table: ReturnTable,
  ties: readonly ReportedTies[],
): Topology {
  const { stocks, sessions } = table;
  const scores = standardised(beyondMarket(table));
  const shrinkage = constantCorrelationShrinkage(scores, stocks, sessions);
  const nearest = nearestStocks(scores, stocks, sessions, shrinkage, tieColumns(ties));
  const walk = peerWalk(peerGraph(stocks, nearest));
  return { symbols, walk, deviations: divergenceDeviations(walk, table), shrinkage };
}
