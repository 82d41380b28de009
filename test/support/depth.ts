/** `npm run test:full`: every minute, every draw. `npm test` looks at a sample of them. */
export const FULL = process.env.TIGRAPH_TEST_FULL === '1';

export const inFull = <T>(full: T, sample: T): T => (FULL ? full : sample);
