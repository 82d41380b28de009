import type { Stock } from '../shared/api/queries.ts';

/** Whether an option chain was known at the instant of the answer: without one nothing about options is asked. */
export const hasChain = ({ options }: Stock): boolean => typeof options?.refresh_timestamp === 'string';
