import type { Static, TSchema } from 'typebox';
import type { Scope } from '../base/scope.ts';
import type { Leases } from '../database/leases.ts';

/** What the processes of one installation hand to each other. */
export interface Bus {
  readonly leases: Leases;
  /**
   * Hands work to one of the processes that take it from the queue and waits for its answer, as long as the signal
   * allows. The work survives the end of any process and is done at least once, so doing it again must change nothing.
   * While the queue is full, it waits.
   *
   * @throws CodedError work_failed after the last try, unreadable_message where the answer is not as its schema says
   */
  ask<Of extends Queue>(queue: Of, work: WorkOf<Of>, signal: AbortSignal): Promise<AnswerOf<Of>>;
  /**
   * Does the work of a queue, up to `atOnce` pieces at a time. While the database or the bucket is away, a piece waits; after another
   * error it is tried again, up to five times in all, here or in another process. A message that is not as the schema of
   * the queue says is refused, counted and left as a dead letter.
   *
   * @param scope ends it
   */
  take<Of extends Queue>(scope: Scope, queue: Of, atOnce: number, handle: Handle<Of>): void;
  /** Work that failed in every try, or that no worker could read, the newest first. */
  deadLetters(): Promise<DeadLetter[]>;
  clearDeadLetters(): Promise<void>;
  /** Says that this process takes part, until the scope closes. */
  join(scope: Scope, group: string): void;
  /** Identifiers of the processes that take part at the moment, this one's among them. */
  members(group: string): Promise<string[]>;
  /** Identifies this process. */
  readonly self: string;
  isHere(): boolean;
  /** How much waits in the queues, for operators. */
  figures(): Promise<BusFigures>;
  close(): Promise<void>;
}

/** Does a piece of work; its signal aborts when the work is no longer this process's. */
export type Handle<Of extends Queue> = (work: WorkOf<Of>, signal: AbortSignal) => Promise<AnswerOf<Of>>;

export interface DeadLetter {
  readonly queue: string;
  /** The text of the message, JSON where it could be read; of a long one the beginning. */
  readonly work: string;
  /** Of the last try; null where the process ended in every try. */
  readonly error: string | null;
  readonly tries: number;
  /** Epoch milliseconds. */
  readonly failedAt: number;
}

interface BusFigures {
  /** Pieces of work that no process has taken. */
  readonly waiting: number;
  /** Pieces that a process has taken and not answered. */
  readonly underWay: number;
  readonly deadLetters: number;
}

/**
 * A queue of work: what its messages hold. A change that an older worker cannot do takes another version and another
 * name, whose messages wait for a worker that knows them.
 */
export interface Queue<Work extends TSchema = TSchema, Answer extends TSchema = TSchema> {
  /** Letters and digits; a part of the queue follows a dot. */
  readonly name: string;
  /** Stands in each message of work; one without it is of version 1. */
  readonly version: number;
  readonly work: Work;
  readonly answer: Answer;
}

type Immutable<T> = T extends object ? { readonly [Name in keyof T]: Immutable<T[Name]> } : T;

export type WorkOf<Of extends Queue> = Immutable<Static<Of['work']>>;
export type AnswerOf<Of extends Queue> = Immutable<Static<Of['answer']>>;
