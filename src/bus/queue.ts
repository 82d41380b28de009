import type { Static, TSchema } from 'typebox';

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
