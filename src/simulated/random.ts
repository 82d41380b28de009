/**
 * Random numbers of the simulated market. Seed, owner (a symbol or a factor) and purpose name a stream, which restarts
 * on each trade date: a day's numbers do not depend on the days or symbols that are read beside it. Only + - * / sqrt,
 * integer operations, Math.exp and Math.log are used. V8 computes the last two in software (a port of fdlibm), so a
 * seed gives the same market on every machine.
 */

/** 64 bits that name a stream. */
type StreamKey = readonly [high: number, low: number];

export type Stream = ReturnType<typeof createStream>;
/** Numbers without a date, which depend on the owner and the purpose alone. */
export type Traits = ReturnType<typeof traitsOf>;

export function streamKey(seed: number, owner: string, purpose: string): StreamKey {
  const name = `${seed}|${owner}|${purpose}`;
  return [textHash(name, 0x811c9dc5), textHash(name, 0x2f0b4a27)];
}

export function traitsOf(seed: number, owner: string) {
  return traitsAfter(hashedOn(`${seed}|${owner}|`, 0x9747b28c));
}

function traitsAfter(basis: number) {
  const uniform = (purpose: string): number => (textHash(purpose, basis) + 0.5) / 4_294_967_296;
  return {
    uniform,
    normal: (purpose: string): number => normalQuantile(uniform(purpose)),
    /** The same of purposes that begin with a text, which is hashed once. */
    of: (beginning: string) => traitsAfter(hashedOn(beginning, basis)),
  };
}

/** 32 bits of a text, unsigned: FNV-1a over the characters, finished as in MurmurHash3. */
export function textHash(text: string, basis: number): number {
  let hash = hashedOn(text, basis);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

function hashedOn(text: string, basis: number): number {
  let hash = basis;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}

/** Steps after a restart until the four words have mixed, as the author of the generator recommends. */
const MIXING_STEPS = 12;

/** A stream on the generator sfc32 (Chris Doty-Humphrey, PractRand). */
export function createStream() {
  const words = new Int32Array(4);
  const next = (): number => {
    const sum = (words[0]! + words[1]! + words[3]!) | 0;
    words[3] = words[3]! + 1;
    words[0] = words[1]! ^ (words[1]! >>> 9);
    words[1] = (words[2]! + (words[2]! << 3)) | 0;
    words[2] = ((words[2]! << 21) | (words[2]! >>> 11)) + sum;
    return sum >>> 0;
  };
  /** Uniform on the open interval (0, 1). */
  const uniform = (): number => (next() + 0.5) / 4_294_967_296;
  return {
    /** Sets the stream to the start of a date (days since 1970-01-01), or to another number that names an occasion. */
    restart([high, low]: StreamKey, day: number): void {
      words.set([high, low, Math.imul(day, 0x9e3779b1), 1]);
      for (let step = 0; step < MIXING_STEPS; step++) next();
    },
    uniform,
    /** Standard normal. */
    normal: (): number => normalQuantile(uniform()),
  };
}

/** Restarts the stream of an owner and purpose on each call and returns it. */
export function streamFor(seed: number, owner: string, purpose: string): (day: number) => Stream {
  const key = streamKey(seed, owner, purpose);
  const stream = createStream();
  return (day) => {
    stream.restart(key, day);
    return stream;
  };
}

/**
 * The normal quantile at p in (0, 1), to about seven figures. Source: M. J. Wichura, "Algorithm AS 241: The
 * Percentage Points of the Normal Distribution", Applied Statistics 37 (1988), routine PPND7.
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (q >= -0.425 && q <= 0.425) {
    const r = 0.180625 - q * q;
    return (
      (q * (((59.10937472 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179)) /
      (((67.1875636 * r + 78.757757664) * r + 17.895169469) * r + 1)
    );
  }
  const s = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const r = s <= 5 ? s - 1.6 : s - 5;
  const size =
    s <= 5
      ? (((0.17023821103 * r + 1.3067284816) * r + 2.75681539) * r + 1.4234372777) /
        ((0.12021132975 * r + 0.7370016425) * r + 1)
      : (((0.017337203997 * r + 0.42868294337) * r + 3.081226386) * r + 6.657905115) /
        ((0.012258202635 * r + 0.24197894225) * r + 1);
  return q < 0 ? -size : size;
}

export const clamp = (value: number, low: number, high: number): number =>
  Math.min(high, Math.max(low, value));

/** @param decimals at most four */
export const rounded = (value: number, decimals: number): number => {
  const scale = [1, 10, 100, 1000, 10_000][decimals]!;
  return Math.round(value * scale) / scale;
};
