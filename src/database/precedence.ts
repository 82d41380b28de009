import { AsyncLocalStorage } from 'node:async_hooks';

const behind = new AsyncLocalStorage<true>();

/**
 * Runs work whose statements let those of others go first: passes and imports, which nobody waits for. On the embedded
 * database they have a connection of their own, and between two of them everybody else is served; they never wait for
 * ever. On a PostgreSQL server it changes nothing.
 */
export const behindReaders = <T>(work: () => T): T => behind.run(true, work);

export const isBehindReaders = (): boolean => behind.getStore() === true;
