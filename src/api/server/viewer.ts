import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { Access } from '../access/access.ts';
import { anonymousCaller, type Caller, type Holder, requireSymbols } from '../access/viewer.ts';
import { INTERNAL_SCOPE, type Scope } from '../access/scopes.ts';
import { hostNameOf, isLoopbackName } from './host-names.ts';

export interface ViewerPolicy {
  readonly access: Access;
  /** True where callers without a token are refused. */
  readonly authRequired: boolean;
  /** Age of market data for a caller without the real-time entitlement. */
  readonly delayMs: number;
}

/** What of a route the door needs to know. */
interface RouteAuth {
  readonly url: string;
  readonly operationId: string;
  /** The scope that a token must have here; null where nobody is asked who they are. */
  readonly scope: Scope | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, once the door has let them in. */
    caller: Caller | null;
    /** In whose name the call is written down; null for callers without a token. */
    holder: Holder | null;
    operation: string;
  }
}

/** Addresses with a rule of their own: callers of this machine need no token, others need a scope more. */
const isInternal = ({ url }: RouteAuth): boolean => url.startsWith('/api/internal/');

const TICKER = /^[A-Z0-9^][A-Z0-9.^=_-]{0,19}$/;

export interface Authentication {
  /** Decides for a route who asks, what they may see, and whether they may come in. */
  at(plate: RouteAuth): onRequestHookHandler;
  /** Writes the call of a known holder into the audit trail. */
  noteCall(request: FastifyRequest, status: number): void;
}

/** The one place that decides what a caller may see; handlers read the outcome with `callerOf`. */
export function authenticate(
  app: FastifyInstance,
  { access, authRequired, delayMs }: ViewerPolicy,
): Authentication {
  app.decorateRequest('caller', null);
  app.decorateRequest('holder', null);
  app.decorateRequest('operation', '');
  const anonymous = anonymousCaller(delayMs);

  function admit(request: FastifyRequest, caller: Caller, plate: RouteAuth): void {
    request.caller = caller;
    request.holder = caller.holder;
    if (isInternal(plate)) requireInternal(request, caller);
    if (caller.holder === null) return;
    if (plate.scope !== null && !caller.scopes.has(plate.scope)) {
      throw new CodedError('insufficient_scope', `This endpoint needs the scope ${plate.scope}`, {
        facts: { scope: plate.scope },
      });
    }
    const symbol = symbolOf(request);
    if (symbol !== null) requireSymbols(caller, [symbol]);
    access.budgets.take(caller.holder);
  }

  /** The caller, admitted; null when a token has to be verified first. */
  function enterAtOnce(request: FastifyRequest, plate: RouteAuth): Caller | null {
    const { authorization } = request.headers;
    if (authorization === undefined && authRequired && !isInternal(plate)) {
      throw new CodedError('token_required');
    }
    const caller = authorization === undefined ? anonymous : access.tokens.peek(bearerOf(authorization));
    if (caller !== null) admit(request, caller, plate);
    return caller;
  }

  async function enterVerified(request: FastifyRequest, plate: RouteAuth): Promise<void> {
    admit(request, await access.tokens.callerOf(bearerOf(request.headers.authorization ?? '')), plate);
  }

  return {
    at: (plate) => (request, _reply, done) => {
      request.operation = plate.operationId;
      let entered: boolean;
      try {
        entered = plate.scope === null || enterAtOnce(request, plate) !== null;
      } catch (refusal) {
        done(refusal as Error);
        return;
      }
      if (entered) done();
      else enterVerified(request, plate).then(() => done(), done);
    },
    noteCall(request, status) {
      if (request.holder === null) return;
      const symbol = symbolOf(request);
      const written = symbol !== null && TICKER.test(symbol) ? symbol : null;
      access.trail.note(request.holder, request.operation, written, status);
    },
  };
}

/** Who asks. Only behind the door: a route without it has no caller. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('This route does not ask who calls; its entry names no scope.');
  return caller;
}

/** The token of a caller behind the door, for answers that outlive their beginning; null without one. */
export const tokenOf = ({ caller, headers }: FastifyRequest): string | null =>
  (caller?.holder ?? null) === null ? null : bearerOf(headers.authorization ?? '');

/** @throws CodedError invalid_token, for any other way to present one */
function bearerOf(authorization: string): string {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization)?.[1];
  if (token === undefined) throw new CodedError('invalid_token');
  return token;
}

/** @throws CodedError forbidden */
function requireInternal(request: FastifyRequest, caller: Caller): void {
  if (caller.scopes.has(INTERNAL_SCOPE) || isOfThisMachine(request)) return;
  throw new CodedError(
    'forbidden',
    `Internal addresses answer callers of this machine and holders of the scope ${INTERNAL_SCOPE}`,
  );
}

/**
 * A loopback caller that speaks for itself: what a proxy on this machine passes on comes from elsewhere, and so does a
 * page in a browser of this machine that was led here by a name of its own (DNS rebinding).
 */
function isOfThisMachine({ ip, headers }: FastifyRequest): boolean {
  const isPassedOn =
    headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined;
  const isCalledByAddress = isLoopbackName(hostNameOf(headers.host ?? '') ?? '');
  return !isPassedOn && isCalledByAddress && /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(ip);
}

/** The symbol in the address, as the tape writes it. */
function symbolOf(request: FastifyRequest): string | null {
  const { symbol } = (request.params ?? {}) as { symbol?: string };
  return symbol === undefined ? null : canonicalSymbol(symbol);
}
