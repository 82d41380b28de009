import { kernelMemory, openKernels } from '../kernels/kernels.ts';
import type { PeerGraph } from './peer-graph.ts';

/** Values that a walk carries for each stock. */
const WIDTHS = { single: 1, pairs: 2, eights: 8 } as const;

type Width = keyof typeof WIDTHS;

/** A graph and the values to diffuse, in the memory of kernels. */
export interface WalkBuffers {
  /** Input of a walk: the values of each stock, one stock after the other. */
  input(width: Width): Float64Array;
  /** Walks from the input and shows the values at each scale. */
  follow(width: Width, show: (scale: number, now: Float64Array) => void): void;
}

/**
 * @param widest of the walks
 * @param scales steps up to each
 */
export function openWalkBuffers(
  { stocks, rowStart, peer }: PeerGraph,
  chance: Float64Array,
  widest: Width,
  scales: readonly number[],
): WalkBuffers {
  const figures = WIDTHS[widest] * stocks * Float64Array.BYTES_PER_ELEMENT;
  const [here, there, chances] = [0, figures, 2 * figures];
  const peers = chances + chance.byteLength;
  const rows = peers + peer.byteLength;
  const bytes = rows + stocks * Uint32Array.BYTES_PER_ELEMENT;
  const memory = kernelMemory(bytes);
  const { buffer } = memory;
  new Float64Array(buffer, chances, chance.length).set(chance);
  const places = new Uint32Array(buffer, peers, peer.length);
  for (let at = 0; at < peer.length; at++) places[at] = 8 * peer[at]!;
  const lengths = new Uint32Array(buffer, rows, stocks);
  for (let stock = 0; stock < stocks; stock++) lengths[stock] = rowStart[stock + 1]! - rowStart[stock]!;
  const steps = openKernels(memory);
  const valuesAt = (from: number, width: Width) => new Float64Array(buffer, from, WIDTHS[width] * stocks);
  return {
    input: (width) => valuesAt(here, width),
    follow(width, show) {
      let scale = 0;
      for (let step = 1; scale < scales.length; step++) {
        const [now, into] = step % 2 === 1 ? [here, there] : [there, here];
        steps[width](stocks, rows, peers, chances, now, into);
        if (step === scales[scale]) show(scale++, valuesAt(into, width));
      }
    },
  };
}
