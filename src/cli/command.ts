import type { Command } from 'commander';
import type { Config } from '../config.ts';

/** Work of a command; returns the exit code. */
export type Work = (config: Config) => Promise<number>;

/**
 * Gives a command its arguments, its options and its action.
 *
 * @param call runs the work with the settings of the environment
 */
export type Define = (command: Command, call: (work: Work) => Promise<void>) => void;

export const EXIT_FAILED = 1;
/** The call is wrong. */
export const EXIT_USAGE = 2;
/** Done, with some of the input refused. */
export const EXIT_REFUSED = 3;
