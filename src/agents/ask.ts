/** A request to the HTTP API in the name of the caller. */
export interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Behind `/api/graph/v1`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends a request to the API, in this process or over the network. Its one use of the caller's token is there. */
export type Ask = (request: Request, signal?: AbortSignal) => Promise<Answer>;

/** An answer of the API other than 200. */
export class Refused extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor({ status, body }: Answer) {
    super(`The API answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Path and query of a request, as they stand in an address. */
export function addressOf({ path, query = {} }: Request): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return `/api/graph/v1${path}${given.length === 0 ? '' : `?${search}`}`;
}

/** The body of a 200. @throws Refused */
export async function bodyOf<Body>(answer: Promise<Answer>): Promise<Body> {
  const { status, body } = await answer;
  if (status !== 200) throw new Refused({ status, body });
  return body as Body;
}
