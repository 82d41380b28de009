import type { Config } from '../config.ts';

/** Runs a command; returns the exit code. */
export type Run = (words: readonly string[], config: Config) => Promise<number>;

/** A command. */
export interface Command {
  readonly name: string;
  /** One line per form. */
  readonly usage: string;
  readonly summary: string;
  /** Printed at once, for a command that loads slowly. */
  greeting?(config: Config): string;
  /** Loads only the code that the command needs. */
  load(): Promise<{ readonly run: Run }>;
}

export const EXIT_FAILED = 1;
/** Done, with some of the input refused. */
export const EXIT_REFUSED = 3;
