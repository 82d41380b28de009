export { openDiffusion } from './diffuse.ts';
export {
  CONTAMINATIONS,
  type Contamination,
  type DivergenceScorer,
  type Divergences,
  openDivergences,
  type Signal,
  signalOf,
  weightConfigOf,
} from './divergence.ts';
export { packTopology, unpackTopology } from './packed.ts';
export { RETURNS_MIN, type ReturnTable, returnCounts, WINDOW_SESSIONS } from './returns.ts';
export { type Reason, type ReportedTies, reasonsOf } from './ties.ts';
export { buildTopology, type Topology } from './topology.ts';
export { SCALES } from './walk.ts';
