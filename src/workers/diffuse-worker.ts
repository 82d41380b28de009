import {
  type DivergenceScorer,
  type Divergences,
  openDivergences,
  signalOf,
  weightConfigOf,
} from '../analysis/diffusion/divergence.ts';
import { unpackTopology } from '../analysis/diffusion/packed.ts';
import { threadEntry } from './thread-answers.ts';
import { toPlaces } from '../blocks/rounding.ts';
import type { DiffuseTask, DiffusionScores } from './diffuse-tasks.ts';

/** The topology of the last task, ready for the next one. */
let ready: {
  readonly digest: string;
  readonly symbols: readonly string[];
  readonly score: DivergenceScorer;
} | null = null;

/** Returns in, JSON text out. */
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

/** Places of a deviation that a caller can do anything with. */
const PLACES = 6;

const figure = (value: number): string => (Number.isFinite(value) ? `${toPlaces(value, PLACES)}` : 'null');
