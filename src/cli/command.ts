import type { Config } from '../config.ts';

/** What a word of the command line does; answers the exit code. */
export type Run = (words: readonly string[], config: Config) => Promise<number>;

/** One word of the command line. */
export interface Command {
  readonly name: string;
  /** How it is called, one line for each form. */
  readonly usage: string;
  readonly summary: string;
  /** A line printed at once, for a command that takes a while to load. */
  greeting?(config: Config): string;
  /** Loads no more of the program than the command needs. */
  load(): Promise<{ readonly run: Run }>;
}

export const EXIT_FAILED = 1;
/** Done, but some of the input was refused. */
export const EXIT_REFUSED = 3;
