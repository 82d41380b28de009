// AssemblyScript: TypeScript's syntax with the numbers and vectors of WebAssembly. `npm run kernels` compiles it.
// Addresses are in bytes of the imported memory.

/**
 * Compares states with one another: 32 whole numbers of -10,000 to 10,000, so that differences fit 16 bits and the four
 * pairs of squares that a lane adds up fit 32 unsigned.
 *
 * Of the rows whose day is not 0 and not after `until`, writes behind each other into `out`: how many they are, and for
 * those with a squared distance of at most `worst` the row and the distance, as f64.
 *
 * @returns the number of rows that were written
 */
export function nearest(
  states: usize,
  days: usize,
  rows: i32,
  own: usize,
  until: i32,
  worst: f64,
  out: usize,
): i32 {
  const own0 = v128.load(own);
  const own1 = v128.load(own, 16);
  const own2 = v128.load(own, 32);
  const own3 = v128.load(own, 48);
  let candidates = 0;
  let written = 0;
  let to = out + 8;
  for (let row = 0; row < rows; row++, states += 64, days += 4) {
    const day = load<i32>(days);
    if (day === 0 || day > until) continue;
    candidates++;
    const apart0 = i16x8.sub(v128.load(states), own0);
    const apart1 = i16x8.sub(v128.load(states, 16), own1);
    const apart2 = i16x8.sub(v128.load(states, 32), own2);
    const apart3 = i16x8.sub(v128.load(states, 48), own3);
    const squares = i32x4.add(
      i32x4.add(i32x4.dot_i16x8_s(apart0, apart0), i32x4.dot_i16x8_s(apart1, apart1)),
      i32x4.add(i32x4.dot_i16x8_s(apart2, apart2), i32x4.dot_i16x8_s(apart3, apart3)),
    );
    const halves = i64x2.add(i64x2.extend_low_i32x4_u(squares), i64x2.extend_high_i32x4_u(squares));
    const square = <f64>(i64x2.extract_lane(halves, 0) + i64x2.extract_lane(halves, 1));
    if (square > worst) continue;
    store<f64>(to, <f64>row);
    store<f64>(to, square, 8);
    to += 16;
    written++;
  }
  store<f64>(out, <f64>candidates);
  return written;
}

/**
 * One step of a lazy random walk over a graph in compressed sparse rows: into[s] = now[s]/2 + the sum over the edges of s
 * of chance x now[peer]. Two sums, so that neither waits for its own last addition.
 *
 * @param rows the number of edges of each stock as u32
 * @param peers 8 x the index of the peer of each edge as u32
 * @param chances the chance of each edge as f64
 */
export function single(
  stocks: i32,
  rows: usize,
  peers: usize,
  chances: usize,
  now: usize,
  into: usize,
): void {
  let own = now;
  for (const end = rows + ((<usize>stocks) << 2); rows < end; rows += 4, own += 8, into += 8) {
    let left = load<u32>(rows);
    let sum = load<f64>(own) * 0.5;
    let other: f64 = 0;
    for (; left >= 4; left -= 4, peers += 16, chances += 32) {
      sum += load<f64>(chances) * load<f64>(now + load<u32>(peers));
      other += load<f64>(chances, 8) * load<f64>(now + load<u32>(peers, 4));
      sum += load<f64>(chances, 16) * load<f64>(now + load<u32>(peers, 8));
      other += load<f64>(chances, 24) * load<f64>(now + load<u32>(peers, 12));
    }
    for (; left > 0; left--, peers += 4, chances += 8) {
      sum += load<f64>(chances) * load<f64>(now + load<u32>(peers));
    }
    store<f64>(into, sum + other);
  }
}

/** The same for two values a stock, as one vector. */
export function pairs(stocks: i32, rows: usize, peers: usize, chances: usize, now: usize, into: usize): void {
  const half = f64x2.splat(0.5);
  let own = now;
  for (const end = rows + ((<usize>stocks) << 2); rows < end; rows += 4, own += 16, into += 16) {
    let left = load<u32>(rows);
    let sum = f64x2.mul(v128.load(own), half);
    let other = f64x2.splat(0);
    for (; left >= 4; left -= 4, peers += 16, chances += 32) {
      sum = f64x2.add(sum, weighted(chances, now + (load<u32>(peers) << 1)));
      other = f64x2.add(other, weighted(chances + 8, now + (load<u32>(peers, 4) << 1)));
      sum = f64x2.add(sum, weighted(chances + 16, now + (load<u32>(peers, 8) << 1)));
      other = f64x2.add(other, weighted(chances + 24, now + (load<u32>(peers, 12) << 1)));
    }
    for (; left > 0; left--, peers += 4, chances += 8) {
      sum = f64x2.add(sum, weighted(chances, now + (load<u32>(peers) << 1)));
    }
    v128.store(into, f64x2.add(sum, other));
  }
}

function weighted(chance: usize, pair: usize): v128 {
  return f64x2.mul(v128.load_splat<f64>(chance), v128.load(pair));
}

/** The same for eight values a stock, as four vectors. */
export function eights(
  stocks: i32,
  rows: usize,
  peers: usize,
  chances: usize,
  now: usize,
  into: usize,
): void {
  const half = f64x2.splat(0.5);
  let own = now;
  for (const end = rows + ((<usize>stocks) << 2); rows < end; rows += 4, own += 64, into += 64) {
    let sum0 = f64x2.mul(v128.load(own), half);
    let sum1 = f64x2.mul(v128.load(own, 16), half);
    let sum2 = f64x2.mul(v128.load(own, 32), half);
    let sum3 = f64x2.mul(v128.load(own, 48), half);
    for (let left = load<u32>(rows); left > 0; left--, peers += 4, chances += 8) {
      const chance = v128.load_splat<f64>(chances);
      const from = now + (load<u32>(peers) << 3);
      sum0 = f64x2.add(sum0, f64x2.mul(chance, v128.load(from)));
      sum1 = f64x2.add(sum1, f64x2.mul(chance, v128.load(from, 16)));
      sum2 = f64x2.add(sum2, f64x2.mul(chance, v128.load(from, 32)));
      sum3 = f64x2.add(sum3, f64x2.mul(chance, v128.load(from, 48)));
    }
    v128.store(into, sum0);
    v128.store(into, sum1, 16);
    v128.store(into, sum2, 32);
    v128.store(into, sum3, 48);
  }
}

/**
 * Products of the 64 columns of one table with the 64 of another, each a sum in the order of the rows, sixteen at once so
 * that each figure read is used four times.
 *
 * @param left and `right` rows of 64 figures as f64
 * @param into 64 rows of 64 products as f64, one for each column of `left`
 */
export function products(left: usize, right: usize, rows: i32, into: usize): void {
  const size = (<usize>rows) << 9;
  for (let one: usize = 0; one < 512; one += 32) {
    for (let other: usize = 0; other < 512; other += 32) {
      let sum00 = f64x2.splat(0);
      let sum01 = f64x2.splat(0);
      let sum10 = f64x2.splat(0);
      let sum11 = f64x2.splat(0);
      let sum20 = f64x2.splat(0);
      let sum21 = f64x2.splat(0);
      let sum30 = f64x2.splat(0);
      let sum31 = f64x2.splat(0);
      for (let a = left + one, b = right + other, end = a + size; a < end; a += 512, b += 512) {
        const b0 = v128.load(b);
        const b1 = v128.load(b, 16);
        const a0 = v128.load_splat<f64>(a);
        const a1 = v128.load_splat<f64>(a, 8);
        const a2 = v128.load_splat<f64>(a, 16);
        const a3 = v128.load_splat<f64>(a, 24);
        sum00 = f64x2.add(sum00, f64x2.mul(a0, b0));
        sum01 = f64x2.add(sum01, f64x2.mul(a0, b1));
        sum10 = f64x2.add(sum10, f64x2.mul(a1, b0));
        sum11 = f64x2.add(sum11, f64x2.mul(a1, b1));
        sum20 = f64x2.add(sum20, f64x2.mul(a2, b0));
        sum21 = f64x2.add(sum21, f64x2.mul(a2, b1));
        sum30 = f64x2.add(sum30, f64x2.mul(a3, b0));
        sum31 = f64x2.add(sum31, f64x2.mul(a3, b1));
      }
      const to = into + (one << 6) + other;
      v128.store(to, sum00);
      v128.store(to, sum01, 16);
      v128.store(to, sum10, 512);
      v128.store(to, sum11, 528);
      v128.store(to, sum20, 1024);
      v128.store(to, sum21, 1040);
      v128.store(to, sum30, 1536);
      v128.store(to, sum31, 1552);
    }
  }
}
