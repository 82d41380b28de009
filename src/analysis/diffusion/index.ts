export {
  CONTAMINATIONS,
  type DivergenceScorer,
  type Divergences,
  openDivergences,
  signalOf,
  weightConfigOf,
} from './divergence.ts';
export { packTopology, unpackTopology } from './packed.ts';
export { RETURNS_MIN, type ReturnTable, WINDOW_SESSIONS } from './returns.ts';
export { reasonsOf } from './ties.ts';
export { buildTopology, type Topology } from './topology.ts';
