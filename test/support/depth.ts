/** `npm run test:full`: every minute, every draw. `npm test` looks at a sample of them. */
export const FULL = process.env.TIGRAPH_TEST_FULL === '1';

export const inFull = <T>(full: T, sample: T): T => (FULL ? full : sample);

/** Which sample `npm test` looks at: another one of the same size for each number. */
export const SEED = Number(process.env.TIGRAPH_TEST_SEED ?? 1);

/** All in full; otherwise every `step`th, from a place that the seed decides. */
export const sampled = <T>(all: readonly T[], step: number): T[] =>
  all.filter((_, at) => FULL || at % step === SEED % step);
