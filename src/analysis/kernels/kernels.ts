import { MODULE } from './module.ts';

/** Memory of kernels, which threads share. */
export interface KernelMemory {
  /** As long as the memory is at the time of the call. */
  readonly buffer: SharedArrayBuffer;
  /** Adds pages of zeros. */
  grow(pages: number): void;
}

/** A step of a walk: number of stocks, then addresses of rows, peers, chances, the figures now and those after. */
type WalkStep = (
  stocks: number,
  rows: number,
  peers: number,
  chances: number,
  now: number,
  into: number,
) => void;

/** The functions of `kernels.as.ts`; addresses in bytes. */
export interface Kernels {
  readonly single: WalkStep;
  readonly pairs: WalkStep;
  readonly eights: WalkStep;
  readonly products: (left: number, right: number, rows: number, into: number) => void;
  readonly nearest: (
    states: number,
    days: number,
    rows: number,
    own: number,
    until: number,
    worst: number,
    out: number,
  ) => number;
}

/** The used part of WebAssembly; the compiler knows it only with the browser's types. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  readonly Memory: new (size: {
    readonly initial: number;
    readonly maximum: number;
    readonly shared: true;
  }) => KernelMemory;
};

export const PAGE_BYTES = 65_536;
/** Addresses have 32 bits. */
export const MEMORY_BYTES_MAX = 65_536 * PAGE_BYTES;

const pagesOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / PAGE_BYTES));

/** Memory of at least `bytes`, all 0, which can grow to `bytesMax`. */
export const kernelMemory = (bytes: number, bytesMax = bytes): KernelMemory =>
  new WebAssembly.Memory({
    initial: pagesOf(bytes),
    maximum: Math.min(pagesOf(bytesMax), MEMORY_BYTES_MAX / PAGE_BYTES),
    shared: true,
  });

let compiled: object | null = null;

export function openKernels(memory: KernelMemory): Kernels {
  compiled ??= new WebAssembly.Module(Uint8Array.fromBase64(MODULE));
  return new WebAssembly.Instance(compiled, { env: { memory } }).exports as Kernels;
}
