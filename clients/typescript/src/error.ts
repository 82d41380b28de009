import type { components } from './schema.ts';

type Fault = components['schemas']['ValidationError'];
type Refusal = { readonly detail?: string | readonly Fault[]; readonly code?: string };

/** An answer of the service other than 200, which is its `cause` with all headers, or none at all. */
export class TigraphError extends Error {
  override readonly name = 'TigraphError';
  /** Status of the answer; 0 where there was none. */
  readonly status: number;
  /** Word of the error catalogue (docs/errors.md), `validation_failed` of a 422, `unreachable` without an answer. */
  readonly code: string;
  /** Body of the answer, with its `request_id`. */
  readonly body: unknown;

  constructor(status: number, code: string, message: string, body?: unknown, cause?: unknown) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.body = body;
  }

  /** Of a 422 every fault with its place, else empty. */
  get details(): readonly Fault[] {
    return this.code === 'validation_failed' ? (this.body as { detail: Fault[] }).detail : [];
  }

  /** Whether the same request may succeed later. */
  get isTemporary(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

/** @param body parsed body of an answer other than 200; anything where a proxy answered */
export function errorOf(response: Response, body: unknown): TigraphError {
  const { detail = `Status ${response.status}`, code = 'unknown' } = (body ?? {}) as Refusal;
  if (typeof detail === 'string') return new TigraphError(response.status, code, detail, body, response);
  const faults = detail.map(({ loc, msg }) => `${loc.slice(1).join('.')}: ${msg}`);
  return new TigraphError(response.status, 'validation_failed', faults.join('; '), body);
}
