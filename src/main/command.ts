import type { Config } from '../config.ts';

/** One word of the command line. */
export interface Command {
  readonly name: string;
  /** How it is called, one line for each form. */
  readonly usage: string;
  readonly summary: string;
  /** Answers the exit code. */
  run(words: readonly string[], config: Config): Promise<number>;
}

/** Done, but some of the input was refused. */
export const EXIT_REFUSED = 3;
export const EXIT_USAGE = 2;
export const EXIT_FAILED = 1;
