import {
  type DivergenceScorer,
  type Divergences,
  openDivergences,
  signalOf,
  weightConfigOf,
} from '../analysis/diffusion/divergence.ts';
import { unpackTopology } from '../analysis/diffusion/packed.ts';
import { toPlaces } from '../derive/rounding.ts';
import { threadEntry } from './thread.ts';

/** Returns to measure against the peers of a topology. */
export interface DiffuseTask {
  /** Names the content of `packed`. */
  readonly digest: string;
  readonly packed: Uint8Array;
  /** Simple returns as fractions in the order of the topology's symbols; NaN where unknown. */
  readonly returns: Float64Array;
}

export interface DiffusionScores {
  /** JSON array of the score items, UTF-8. */
  readonly scores: Uint8Array;
  readonly computed: number;
}

/** The topology of the last task. */
let ready: {
  readonly digest: string;
  readonly symbols: readonly string[];
  readonly score: DivergenceScorer;
} | null = null;

export const open =
  () =>
  ({ digest, packed, returns }: DiffuseTask): DiffusionScores => {
    if (ready?.digest !== digest) {
      const { symbols, walk, deviations } = unpackTopology(packed);
      ready = { digest, symbols, score: openDivergences(walk, deviations) };
    }
    return scoresText(ready.symbols, ready.score(returns));
  };

export default threadEntry(open);

function scoresText(symbols: readonly string[], divergences: Divergences): DiffusionScores {
  const { scores, composite, contamination, peers } = divergences;
  const items: string[] = [];
  for (const [stock, symbol] of symbols.entries()) {
    const value = composite[stock]!;
    if (!Number.isFinite(value)) continue;
    items.push(
      `{"symbol":${JSON.stringify(symbol)},"signal":"${signalOf(value)}","peers_local":${peers[0]![stock]},"peers_medium":${peers[1]![stock]},"peers_broad":${peers[2]![stock]},"weight_config":"${weightConfigOf(scores, stock)}","local":${figure(scores[0]![stock]!)},"medium":${figure(scores[1]![stock]!)},"broad":${figure(scores[2]![stock]!)},"composite":${figure(value)},"contaminated":${contamination[stock] !== 0}}`,
    );
  }
  return { scores: new TextEncoder().encode(`[${items.join(',')}]`), computed: items.length };
}

/** To six decimal places. */
const figure = (value: number): string => (Number.isFinite(value) ? `${toPlaces(value, 6)}` : 'null');
