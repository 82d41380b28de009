/**
 * The closed catalogue of everything that the service refuses or cannot do. Operations throw a `CodedError`;
 * `api/server` alone turns it into status and body. `docs/errors.md` has a line for each code, which a test holds
 * equal to this list.
 */
export type ErrorKind =
  /** The requested resource does not exist. */
  | 'not_found'
  /** The input breaks a rule; the same input never succeeds. */
  | 'refused'
  /** The caller is unknown. */
  | 'unauthenticated'
  /** The caller has no permission. */
  | 'forbidden'
  /** The state of the resource does not allow it now. */
  | 'conflict'
  /** The caller sends too much or too often. */
  | 'limited'
  /** A required part is missing at the moment; a retry may succeed. */
  | 'unavailable'
  /** The time allowed has passed. */
  | 'timed_out'
  /** A defect, a wrong setting or a broken store, which the caller cannot fix. */
  | 'internal';

/** Kind, code, and one sentence for the documentation. */
const CATALOGUE = {
  not_found: {
    not_found: 'No resource has this address.',
    unknown_symbol: 'No stock with this symbol has data.',
    no_session: 'The exchange had no session on this date.',
    no_data_for_date: 'The stock is known, but there is no data of it on this date or before it.',
    unknown_client: 'No client has this identifier.',
    unknown_grant: 'No grant has this identifier.',
    unknown_run: 'No optimisation run has this identifier.',
    unknown_watchlist: 'The caller has no list of this name.',
    unknown_alert: 'The caller has no alert of this identifier.',
    unknown_receiver: 'The caller has no receiver of this identifier.',
  },
  refused: {
    validation_failed: 'The request breaks the contract; every fault is listed with its position.',
    unsupported_schema_version: 'The request names a schema version that this service does not speak.',
    not_acceptable: 'The resource is not served in the media type that the request asks for.',
    method_not_allowed: 'The resource exists, but not for this method.',
    unsupported_media_type: 'The body is not of a media type that the endpoint reads.',
    request_timeout: 'The request did not arrive whole within the time allowed.',
    payload_too_large: 'The body is larger than the limit, which the answer names.',
    uri_too_long: 'The address or one of its parts is longer than the limit.',
    headers_too_large: 'The header lines together are larger than the limit.',
    misdirected_request: 'The request names a host that this installation does not answer for.',
    malformed_request: 'The bytes received are not a well-formed request.',
    other_market: 'The symbols are of both markets, the real and the simulated one, which share nothing.',
  },
  unauthenticated: {
    invalid_client:
      'The client, its secret or its grant is wrong, unknown, expired or revoked; the answer does not say which.',
    invalid_token: 'The token presented is malformed, expired or revoked.',
    token_required: 'This installation answers only callers with a token.',
  },
  forbidden: {
    invalid_scope: 'The request asks for a scope that the grant does not include.',
    insufficient_scope: 'The token lacks the scope that the endpoint needs.',
    symbol_not_granted: 'The grant behind the token does not cover this symbol.',
    forbidden: 'This caller may not use this resource.',
  },
  conflict: {
    conflict: 'The resource is in a state that does not allow the operation.',
    cursor_expired: 'What the pages of this cursor are cut from is no longer there.',
    write_conflict:
      'Two transactions wrote the same rows and this one was undone; running it again may succeed.',
    lease_lost: 'Another process has taken over what this one was doing.',
  },
  limited: {
    budget_exhausted: 'The grant has used up its calls of this minute or day.',
    too_many_failures: 'Too many exchanges have failed for this client or from this address.',
    rate_limited: 'The caller has used up its calls for now.',
  },
  unavailable: {
    overloaded: 'Too much work is waiting already; the request was not queued.',
    disk_full: 'The disk of the service takes no more; what was acknowledged is safe.',
    feature_disabled: 'The operator has switched this feature off.',
    topology_not_loaded: 'The peer topology has not been built yet.',
    starting_up: 'The service still reads what its first answers need.',
    shutting_down: 'The service is closing and takes no new work.',
    database_unavailable:
      'The database does not answer; a statement in flight may or may not have taken effect.',
    bus_unavailable: 'The message bus does not answer.',
    vendor_unavailable: 'The vendor of market data does not answer as it should.',
    embedder_unavailable: 'The embeddings provider does not answer as it should.',
    tape_unavailable:
      'The bucket of the tape does not answer, does not exist or refuses the credentials; what was under way may be asked again.',
    backup_unavailable:
      'The bucket of a backup does not answer, does not exist or refuses the credentials; the command may be run again.',
    data_damaged:
      'A part of the database is damaged and was not read: npm run tigraph -- verify lists the damage, and restore fills a new data directory or database from a backup.',
    tape_damaged:
      'A segment file of the tape is missing or does not hold what was written to it; import its source again.',
  },
  timed_out: {
    query_timeout: 'The answer was not ready within the time allowed.',
  },
  internal: {
    internal: 'A defect in the service; the log has the cause under the request identifier.',
    bad_setting: 'A setting has a value that is not allowed; the service does not start.',
    vendor_refused:
      'The vendor of market data refuses the key, the plan or the symbols, or its host is another; the service does not start.',
    tape_of_another_installation:
      'The bucket holds the tape of another installation under this prefix; the service does not start.',
    data_directory_locked: 'Another process holds the data directory and does not answer on its socket.',
    data_directory_unusable:
      'The data directory cannot be created, read or written, or the database inside it does not start.',
    data_newer_than_program: 'The database was migrated by a newer version of the program than this one.',
    migration_changed:
      'A migration that was already applied is missing or differs from the file that was applied.',
    migration_failed: 'A migration did not run; the database is as it was before it.',
    work_failed: 'A piece of work failed in every try, on whichever process took it.',
    unreadable_message: 'A message on the bus is not as this version of the program knows it.',
    import_failed: 'The source of an import cannot be read at all.',
    backup_damaged: 'A backup is incomplete or does not hold what was backed up.',
    restore_unfinished: 'A restore into the data directory was interrupted, or still runs.',
  },
} as const satisfies Record<ErrorKind, Readonly<Record<string, string>>>;

export type ErrorCode = { [Kind in ErrorKind]: keyof (typeof CATALOGUE)[Kind] & string }[ErrorKind];

interface CatalogueEntry {
  readonly kind: ErrorKind;
  readonly meaning: string;
}

export const ERRORS = Object.fromEntries(
  Object.entries(CATALOGUE).flatMap(([kind, codes]) =>
    Object.entries(codes).map(([code, meaning]) => [code, { kind, meaning }]),
  ),
) as Readonly<Record<ErrorCode, CatalogueEntry>>;

export const ERROR_CODES = Object.keys(ERRORS) as readonly ErrorCode[];

/**
 * An error of the catalogue. `message` is one sentence for the caller and may go onto the wire; `facts` are values for
 * programs (e.g. the nearest session of `no_session`); `cause` is for the log only.
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

/** True for an error of the catalogue, with `code` for an error of that code. */
export function isCoded(error: unknown, code?: ErrorCode): error is CodedError {
  return error instanceof CodedError && (code === undefined || error.code === code);
}

/** One entry of the contract's HTTPValidationError, in the vocabulary of pydantic v2. */
export interface ValidationFault {
  /** Position from the outside in: `body`, `query`, `path` or `header`, then names and indexes, all as text. */
  readonly loc: readonly string[];
  /** The fault in one sentence. */
  readonly msg: string;
  /** The broken rule, e.g. `missing`, `greater_than_equal`, `literal_error`. */
  readonly type: string;
  readonly input: unknown;
  /** The bounds of the rule, e.g. `{ ge: 30 }`; empty without any. */
  readonly ctx: Readonly<Record<string, unknown>>;
}

/** Input that breaks the contract, with every fault found. */
export class ValidationRefusal extends CodedError {
  readonly faults: readonly ValidationFault[];

  constructor(faults: readonly ValidationFault[]) {
    if (faults.length === 0) throw new Error('A refusal needs at least one fault.');
    super('validation_failed', faults.map((fault) => `${fault.loc.join('.')}: ${fault.msg}`).join('; '));
    this.name = 'ValidationRefusal';
    this.faults = faults;
  }
}

/** The sentences of Node, SQLite and PostgreSQL; the embedded server's log has no code. */
const DISK_FULL_MESSAGE = /no space left on device|disk is full/i;
const ROOM = 'make room and try again; what was acknowledged is safe.';
/** Codes of the file system and of PostgreSQL for a disk that takes no more. */
const DISK_FULL_CODES: Readonly<Record<string, string>> = {
  ENOSPC: `The disk of the service is full: ${ROOM}`,
  '53100': `The disk of the database is full: ${ROOM}`,
  EDQUOT: `The disk quota of the service is used up: ${ROOM}`,
};
/** What else a disk refuses. */
const DISK_CODES: Readonly<Record<string, string>> = {
  ...DISK_FULL_CODES,
  EFBIG: 'The disk of the service takes no file of this size: bring it in parts of its own.',
  EROFS: 'The disk of the service can only be read: mount it for writing and try again.',
};

function sentenceOf(error: unknown, sentences: Readonly<Record<string, string>>): string | null {
  for (let each = error; each instanceof Error; each = each.cause) {
    const sentence = sentences[(each as NodeJS.ErrnoException).code ?? ''];
    if (sentence !== undefined) return sentence;
    if (DISK_FULL_MESSAGE.test(each.message)) return sentences.ENOSPC!;
  }
  return null;
}

/** Whether a full disk caused an error of a file, a lock or the database. */
export const isDiskFull = (error: unknown): boolean => sentenceOf(error, DISK_FULL_CODES) !== null;

/** The refusal for an error that a disk has caused which takes no more; null for any other error. */
export function diskRefusal(error: unknown): CodedError | null {
  const sentence = sentenceOf(error, DISK_CODES);
  return sentence === null ? null : new CodedError('disk_full', sentence, { cause: error });
}
