import type { FastifyReply, FastifyRequest, onRequestHookHandler, preValidationHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import type { Scope } from '../access/scopes.ts';
import type { Examples } from './choose-examples.ts';

/** What the documentation shows of an endpoint: a request that can be sent as it is. */
export interface RouteExample {
  /** Values of path and query by name, beside the examples of their schemas. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  /** An answer, where asking for one would start something, never end, or show what not everybody may see. */
  readonly answer?: unknown;
}

/** One endpoint: what it takes, what it answers, and the operation behind it. */
export interface RouteEntry {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** What a token must be good for here; null where nobody is asked for one. */
  readonly scope: Scope | null;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Largest body where it is less than that of every endpoint. */
  readonly bodyLimitBytes?: number;
  readonly answer: TSchema;
  /** Its example on the data there is; null where the store has nothing to show it with. */
  readonly example: (examples: Examples, run: string | null) => RouteExample | null;
  /** Media type of the answer where it is not JSON. */
  readonly answerType?: string;
  /** Statuses that the operation can answer with beside 200 and 422. */
  readonly refusals: readonly number[];
  /** The short way past parsing and checking, for what was understood before. */
  readonly onRequest?: onRequestHookHandler;
  /** What is decided before the body is held against its schema. */
  readonly preValidation?: preValidationHookHandler;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
}
