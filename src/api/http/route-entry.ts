import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { TSchema } from 'typebox';
import type { AccessScope } from '../access/scopes.ts';

/** Symbols and dates for the examples of the documentation. */
export interface Examples {
  /** A stock of the newest session that the caller sees whole, preferably with peers, chain and minute bars. */
  readonly symbol: string;
  /** That stock and some of its peers. */
  readonly symbols: readonly string[];
  /** The session; null before anything was derived. */
  readonly date: string | null;
  /** The newest option chain, of that stock if it has one. */
  readonly chain: { readonly symbol: string; readonly date: string | null } | null;
  /** The newest sessions with minute bars, of that stock if it has some. */
  readonly minutes: { readonly symbol: string; readonly from: string; readonly to: string } | null;
}

/** An example of an endpoint: a request that works as it is. */
export interface RouteExample {
  /** Values of path and query by name; others come from their schemas. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  readonly body?: unknown;
  /** A made-up answer, for a request that starts something, does not end, or needs a token. */
  readonly answer?: unknown;
}

export interface RouteEntry {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly url: string;
  readonly operationId: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  /** True for a POST that only reads, as every GET does. */
  readonly onlyReads?: true;
  /** The scope that a token needs; null for no authentication. */
  readonly scope: AccessScope | null;
  readonly params?: TSchema;
  readonly querystring?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  /** Body limit where it is below the general one. */
  readonly bodyLimitBytes?: number;
  readonly answer: TSchema;
  /** Its example; null if the store lacks the data. */
  readonly example: (examples: Examples, run: string | null) => RouteExample | null;
  /** Media type of the answer if it is not JSON. */
  readonly answerType?: string;
  /** A media type in which the answer is served as well as in JSON. */
  readonly alsoServed?: string;
  /** Statuses besides 200, 422 and those that follow from the parts of a request. */
  readonly refusals: readonly number[];
  /** Runs before the body is validated. */
  readonly preValidation?: preValidationHookHandler;
  readonly handler: (request: FastifyRequest, reply: FastifyReply) => unknown;
}
