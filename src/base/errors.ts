/**
 * The closed catalogue of everything the service refuses or cannot do. An operation throws a `CodedError`; what status
 * and body it becomes is decided at the HTTP door alone, so no word here speaks of HTTP. `docs/errors.md` has one
 * section per code, held equal to this list by a test.
 */

/** What a caller can make of an error without knowing its code. */
export type ErrorKind =
  /** The thing asked for is not here. */
  | 'not_found'
  /** The input breaks a rule; the same input never succeeds. */
  | 'refused'
  /** Nobody known asks. */
  | 'unauthenticated'
  /** The one who asks may not. */
  | 'forbidden'
  /** The state of the thing does not allow it now. */
  | 'conflict'
  /** The caller asks too much or too often. */
  | 'limited'
  /** A part that the answer needs is not there at the moment; trying again may succeed. */
  | 'unavailable'
  /** The time allowed has passed. */
  | 'timed_out'
  /** A defect, a wrong setting or a broken store: nothing that the caller can mend. */
  | 'internal';

interface CatalogueEntry {
  readonly kind: ErrorKind;
  /** One sentence for the documentation. */
  readonly meaning: string;
}

export const ERRORS = {
  not_found: { kind: 'not_found', meaning: 'No resource has this address.' },
  unknown_symbol: { kind: 'not_found', meaning: 'The tape knows no stock with this symbol.' },
  no_session: { kind: 'not_found', meaning: 'The exchange held no session on this date.' },
  no_data_for_date: {
    kind: 'not_found',
    meaning: 'The stock is known, but the tape has nothing of it on this date or before it.',
  },
  unknown_client: { kind: 'not_found', meaning: 'No client has this identifier.' },
  unknown_grant: { kind: 'not_found', meaning: 'No grant has this identifier.' },
  unknown_run: { kind: 'not_found', meaning: 'No optimisation run has this identifier.' },

  validation_failed: {
    kind: 'refused',
    meaning: 'The request breaks the contract; every fault is listed with its place.',
  },
  unsupported_schema_version: {
    kind: 'refused',
    meaning: 'The request names a schema version that this service does not speak.',
  },
  method_not_allowed: { kind: 'refused', meaning: 'The resource exists, but not for this method.' },
  unsupported_media_type: {
    kind: 'refused',
    meaning: 'The body is not of a media type that the endpoint reads.',
  },
  request_timeout: { kind: 'refused', meaning: 'The request did not arrive whole within the time allowed.' },
  payload_too_large: {
    kind: 'refused',
    meaning: 'The body is larger than the limit, which the answer names.',
  },
  uri_too_long: { kind: 'refused', meaning: 'The address or one of its parts is longer than the limit.' },
  headers_too_large: { kind: 'refused', meaning: 'The header lines together are larger than the limit.' },
  misdirected_request: {
    kind: 'refused',
    meaning: 'The request names a host that this installation does not answer for.',
  },
  malformed_request: { kind: 'refused', meaning: 'The bytes received are not a well-formed request.' },

  invalid_client: {
    kind: 'unauthenticated',
    meaning:
      'The client, its secret or its grant is wrong, unknown, expired or revoked; which of them is not told.',
  },
  invalid_token: {
    kind: 'unauthenticated',
    meaning: 'The token presented is malformed, expired or revoked.',
  },
  token_required: {
    kind: 'unauthenticated',
    meaning: 'This installation answers only callers with a token.',
  },
  invalid_scope: { kind: 'forbidden', meaning: 'A scope was asked for that the grant does not give.' },
  insufficient_scope: { kind: 'forbidden', meaning: 'The token lacks the scope that the endpoint needs.' },
  symbol_not_granted: {
    kind: 'forbidden',
    meaning: 'The grant behind the token does not cover this symbol.',
  },
  forbidden: { kind: 'forbidden', meaning: 'This caller may not use this resource.' },

  conflict: { kind: 'conflict', meaning: 'The resource is in a state that does not allow the operation.' },
  cursor_expired: {
    kind: 'conflict',
    meaning: 'What the pages of this cursor are cut from is no longer there.',
  },
  write_conflict: {
    kind: 'conflict',
    meaning: 'Two transactions wrote the same rows and this one was undone; running it again may succeed.',
  },

  budget_exhausted: { kind: 'limited', meaning: 'The grant has used up its calls of this minute or day.' },
  too_many_failures: {
    kind: 'limited',
    meaning: 'Too many exchanges have failed for this client or from this address.',
  },
  rate_limited: { kind: 'limited', meaning: 'The caller has used up its calls for now.' },
  overloaded: {
    kind: 'unavailable',
    meaning: 'Too much work is waiting already; the request was not queued.',
  },
  feature_disabled: { kind: 'unavailable', meaning: 'The operator has switched this feature off.' },
  topology_not_loaded: { kind: 'unavailable', meaning: 'The peer topology has not been built yet.' },
  starting_up: { kind: 'unavailable', meaning: 'The service still reads what its first answers need.' },
  shutting_down: { kind: 'unavailable', meaning: 'The service is closing and takes no new work.' },
  database_unavailable: {
    kind: 'unavailable',
    meaning: 'The database does not answer; a statement in flight may or may not have taken effect.',
  },
  embedder_unavailable: {
    kind: 'unavailable',
    meaning: 'The embeddings provider does not answer as it should.',
  },
  tape_damaged: {
    kind: 'unavailable',
    meaning:
      'A segment file of the tape is missing or does not hold what was written to it; import its source again.',
  },
  query_timeout: { kind: 'timed_out', meaning: 'The answer was not ready within the time allowed.' },

  internal: {
    kind: 'internal',
    meaning: 'A defect in the service; the log has the cause under the request identifier.',
  },
  bad_setting: {
    kind: 'internal',
    meaning: 'A setting has a value that is not allowed; the service does not start.',
  },
  data_directory_locked: {
    kind: 'internal',
    meaning: 'Another process holds the data directory and does not answer on its socket.',
  },
  data_directory_unusable: {
    kind: 'internal',
    meaning:
      'The data directory cannot be created, read or written, or the database inside it does not start.',
  },
  data_newer_than_program: {
    kind: 'internal',
    meaning: 'The database was migrated by a newer version of the program than this one.',
  },
  migration_changed: {
    kind: 'internal',
    meaning: 'A migration that was already applied is missing or differs from the file that was applied.',
  },
  migration_failed: {
    kind: 'internal',
    meaning: 'A migration did not run; the database is as it was before it.',
  },
  import_failed: { kind: 'internal', meaning: 'The source of an import cannot be read at all.' },
} as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof typeof ERRORS;

/**
 * An error of the catalogue. `message` is one sentence for the one who asked and may go onto the wire; `facts` are
 * values that a program may read (the nearest session of `no_session`, say); `cause` is for the log only.
 */
export class CodedError extends Error {
  readonly code: ErrorCode;
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string = ERRORS[code].meaning,
    options: { readonly cause?: unknown; readonly facts?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'CodedError';
    this.code = code;
    this.facts = options.facts ?? {};
  }

  get kind(): ErrorKind {
    return ERRORS[this.code].kind;
  }
}

/** True for an error of the catalogue, of one code when it is given. */
export function isCoded(error: unknown, code?: ErrorCode): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** One entry of the contract's HTTPValidationError, in the vocabulary of pydantic v2. */
export interface ValidationFault {
  /** Where, from the outside in: `body`, `query`, `path` or `header`, then names and indexes, all as text. */
  readonly loc: readonly string[];
  /** What is wrong, in one sentence. */
  readonly msg: string;
  /** The rule that was broken, e.g. `missing`, `greater_than_equal`, `literal_error`. */
  readonly type: string;
  /** The value that broke it. */
  readonly input: unknown;
  /** The bounds of the rule, e.g. `{ ge: 30 }`; empty when the rule has none. */
  readonly ctx: Readonly<Record<string, unknown>>;
}

/** Input that breaks the contract: every fault found, not only the first. */
export class ValidationRefusal extends CodedError {
  readonly faults: readonly ValidationFault[];

  constructor(faults: readonly ValidationFault[]) {
    if (faults.length === 0) throw new Error('A refusal without a fault tells nobody what to mend.');
    super('validation_failed', faults.map((fault) => `${fault.loc.join('.')}: ${fault.msg}`).join('; '));
    this.name = 'ValidationRefusal';
    this.faults = faults;
  }
}
