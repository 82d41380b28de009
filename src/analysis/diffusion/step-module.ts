/**
 * One step of a lazy random walk over a graph in compressed sparse rows, as a WebAssembly module assembled here. Reads
 * by index make up the step and cost a third of what they cost in typed arrays, where each is checked against a length.
 * Two functions of (stocks, rows, peers, chances, now, into), addresses in bytes:
 *
 * - `single`: into[s] = now[s]/2 + the sum over the edges of s of chance x now[peer], one float64 a stock;
 * - `pairs`: the same for two float64 a stock, as one vector of 128 bits.
 *
 * `rows` has the number of edges of each stock as u32, `peers` 8 x the index of the peer of each edge as u32, `chances`
 * its chance as float64.
 *
 * Source of the encoding: WebAssembly Core Specification 2.0, chapter 5.
 */

const I32 = 0x7f;
const F64 = 0x7c;
const V128 = 0x7b;
const EMPTY = 0x40;

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>>= 7) {
    if (left < 0x80) return [...bytes, left];
    bytes.push((left & 0x7f) | 0x80);
  }
}

/** Signed LEB128. */
function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let left = value; ; left >>= 7) {
    const byte = left & 0x7f;
    if ((left >> 7 === 0 && (byte & 0x40) === 0) || (left >> 7 === -1 && (byte & 0x40) !== 0)) {
      return [...bytes, byte];
    }
    bytes.push(byte | 0x80);
  }
}

const simd = (code: number): number[] => [0xfd, ...unsigned(code)];

// Instructions, by their names in the specification.
const get = (local: number): number[] => [0x20, ...unsigned(local)];
const set = (local: number): number[] => [0x21, ...unsigned(local)];
const loop = (body: number[]): number[] => [0x03, EMPTY, ...body, 0x0b];
const block = (body: number[]): number[] => [0x02, EMPTY, ...body, 0x0b];
const br = (depth: number): number[] => [0x0c, depth];
const brIf = (depth: number): number[] => [0x0d, depth];
const i32Const = (value: number): number[] => [0x41, ...signed(value)];
const I32_EQZ = [0x45];
const I32_LT_U = [0x49];
const I32_ADD = [0x6a];
const I32_SUB = [0x6b];
const I32_SHL = [0x74];
const i32Load = (offset: number): number[] => [0x28, 2, ...unsigned(offset)];
const f64Load = (offset: number): number[] => [0x2b, 3, ...unsigned(offset)];
const F64_STORE = [0x39, 3, 0];
const F64_ADD = [0xa0];
const F64_MUL = [0xa2];
const f64Const = (value: number): number[] => [0x44, ...new Uint8Array(new Float64Array([value]).buffer)];
const V128_LOAD = [...simd(0x00), 3, 0];
const v128Load64Splat = (offset: number): number[] => [...simd(0x0a), 3, ...unsigned(offset)];
const V128_STORE = [...simd(0x0b), 3, 0];
const F64X2_SPLAT = simd(0x14);
const F64X2_ADD = simd(0xf0);
const F64X2_MUL = simd(0xf2);

// Parameters and variables of both functions.
const STOCKS = 0;
const ROWS = 1;
const PEERS = 2;
const CHANCES = 3;
const NOW = 4;
const INTO = 5;
/** Address of the stock's own figure; moves along `now`. */
const OWN = 6;
/** Edges of the row that are left. */
const LEFT = 7;
const SUM = 8;
const OTHER_SUM = 9;

const advance = (local: number, by: number): number[] => [
  ...get(local),
  ...i32Const(by),
  ...I32_ADD,
  ...set(local),
];

/** The instructions for one width of values. */
interface Width {
  readonly type: number;
  readonly bytes: number;
  readonly load: number[];
  readonly loadChance: (offset: number) => number[];
  readonly half: number[];
  readonly zero: number[];
  readonly add: number[];
  readonly multiply: number[];
  readonly store: number[];
  /** From 8 x the index of a peer to the offset of its value. */
  readonly scale: number[];
}

const SINGLE: Width = {
  type: F64,
  bytes: 8,
  load: f64Load(0),
  loadChance: f64Load,
  half: f64Const(0.5),
  zero: f64Const(0),
  add: F64_ADD,
  multiply: F64_MUL,
  store: F64_STORE,
  scale: [],
};

const PAIRS: Width = {
  type: V128,
  bytes: 16,
  load: V128_LOAD,
  loadChance: v128Load64Splat,
  half: [...f64Const(0.5), ...F64X2_SPLAT],
  zero: [...f64Const(0), ...F64X2_SPLAT],
  add: F64X2_ADD,
  multiply: F64X2_MUL,
  store: V128_STORE,
  scale: [...i32Const(1), ...I32_SHL],
};

/**
 * Adds the edge `ahead` of the current one to one of two sums; two, so that neither waits for its own last addition.
 */
const addEdge = (ahead: number, sum: number, width: Width): number[] => [
  ...get(sum),
  ...get(CHANCES),
  ...width.loadChance(8 * ahead),
  ...get(NOW),
  ...get(PEERS),
  ...i32Load(4 * ahead),
  ...width.scale,
  ...I32_ADD,
  ...width.load,
  ...width.multiply,
  ...width.add,
  ...set(sum),
];

/** Advances by a number of edges. */
const pass = (edges: number): number[] => [
  ...advance(CHANCES, 8 * edges),
  ...advance(PEERS, 4 * edges),
  ...get(LEFT),
  ...i32Const(edges),
  ...I32_SUB,
  ...set(LEFT),
];

/** Edges of one round of the unrolled loop. */
const UNROLLED = 4;

const stepBody = (width: Width): number[] => [
  ...get(NOW),
  ...set(OWN),
  ...block([
    ...loop([
      ...get(STOCKS),
      ...I32_EQZ,
      ...brIf(1),
      ...get(ROWS),
      ...i32Load(0),
      ...set(LEFT),
      ...get(OWN),
      ...width.load,
      ...width.half,
      ...width.multiply,
      ...set(SUM),
      ...width.zero,
      ...set(OTHER_SUM),
      ...block([
        ...loop([
          ...get(LEFT),
          ...i32Const(UNROLLED),
          ...I32_LT_U,
          ...brIf(1),
          ...Array.from({ length: UNROLLED }, (_, ahead) =>
            addEdge(ahead, ahead % 2 === 0 ? SUM : OTHER_SUM, width),
          ).flat(),
          ...pass(UNROLLED),
          ...br(0),
        ]),
      ]),
      ...block([
        ...loop([...get(LEFT), ...I32_EQZ, ...brIf(1), ...addEdge(0, SUM, width), ...pass(1), ...br(0)]),
      ]),
      ...get(INTO),
      ...get(SUM),
      ...get(OTHER_SUM),
      ...width.add,
      ...width.store,
      ...advance(ROWS, 4),
      ...advance(OWN, width.bytes),
      ...advance(INTO, width.bytes),
      ...get(STOCKS),
      ...i32Const(1),
      ...I32_SUB,
      ...set(STOCKS),
      ...br(0),
    ]),
  ]),
];

const vector = (items: readonly number[][]): number[] => [...unsigned(items.length), ...items.flat()];
const sized = (bytes: readonly number[]): number[] => [...unsigned(bytes.length), ...bytes];
const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
const name = (text: string): number[] => sized([...new TextEncoder().encode(text)]);

const functionBody = (width: Width): number[] =>
  sized([
    ...vector([
      [2, I32],
      [2, width.type],
    ]),
    ...stepBody(width),
    0x0b,
  ]);

const MODULE = Uint8Array.from([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  // One type: six i32 and no result.
  ...section(1, vector([[0x60, ...vector(Array.from({ length: 6 }, () => [I32])), 0]])),
  ...section(2, vector([[...name('walk'), ...name('memory'), 0x02, 0x00, 0x00]])),
  ...section(3, vector([[0], [0]])),
  ...section(
    7,
    vector([
      [...name('single'), 0x00, 0],
      [...name('pairs'), 0x00, 1],
    ]),
  ),
  ...section(10, vector([functionBody(SINGLE), functionBody(PAIRS)])),
]);

/** A step: number of stocks, then addresses of rows, peers, chances, the figures now and those after. */
export type WalkStep = (
  stocks: number,
  rows: number,
  peers: number,
  chances: number,
  now: number,
  into: number,
) => void;

/** The part of a module's memory that is used here. */
export interface WalkBytes {
  readonly buffer: ArrayBuffer;
}

/** The part of WebAssembly that is used here; only the type library of browsers declares it. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
  readonly Memory: new (size: { readonly initial: number }) => WalkBytes;
};

const PAGE_BYTES = 65_536;

/** Memory of at least `bytes`, all 0. */
export const walkBytes = (bytes: number): WalkBytes =>
  new WebAssembly.Memory({ initial: Math.max(1, Math.ceil(bytes / PAGE_BYTES)) });

let compiled: object | null = null;

/** The two steps over a memory. */
export function openSteps(memory: WalkBytes): {
  readonly single: WalkStep;
  readonly pairs: WalkStep;
} {
  compiled ??= new WebAssembly.Module(MODULE);
  const { exports } = new WebAssembly.Instance(compiled, { walk: { memory } });
  return exports as { single: WalkStep; pairs: WalkStep };
}
