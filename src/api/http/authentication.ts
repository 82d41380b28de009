import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Clock } from '../../base/clock.ts';
import { CodedError } from '../../base/errors.ts';
import { canonicalSymbol, TICKER } from '../../base/symbols.ts';
import type { Access } from '../access/access.ts';
import { type AccessScope, INTERNAL_SCOPE } from '../access/scopes.ts';
import { anonymousCaller, type Caller, type Holder, requireSymbols, viewerAt } from '../access/viewer.ts';
import { hostNameOf, isLoopbackName } from './host-names.ts';

export interface ViewerPolicy {
  readonly access: Access;
  /** True where callers without a token are refused. */
  readonly authRequired: boolean;
  /** Age of market data for a caller without the real-time entitlement. */
  readonly delayMs: number;
}

interface RouteAuth {
  readonly url: string;
  readonly operationId: string;
  /** The scope that a token needs; null for a route without authentication. */
  readonly scope: AccessScope | null;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the request is authenticated. */
    caller: Caller | null;
    /** The audit trail logs the call under it; null for callers without a token. */
    holder: Holder | null;
    operation: string;
  }
}

/** Internal addresses: callers on this machine need no token, others need the internal scope. */
const isInternal = ({ url }: RouteAuth): boolean => url.startsWith('/api/internal/');

export type Authentication = ReturnType<typeof authenticate>;

/** The one place that decides who a caller is; handlers read it with `callerOf`. */
export function authenticate(app: FastifyInstance, { access, authRequired, delayMs }: ViewerPolicy) {
  app.decorateRequest('caller', null);
  app.decorateRequest('holder', null);
  app.decorateRequest('operation', '');
  const anonymous = anonymousCaller(delayMs);

  function admit(request: FastifyRequest, caller: Caller, route: RouteAuth): void {
    request.caller = caller;
    request.holder = caller.holder;
    if (isInternal(route)) requireInternal(request, caller);
    take(caller, route.scope, symbolOf(request));
  }

  function take(caller: Caller, scope: AccessScope | null, symbol: string | null): void {
    if (caller.holder === null) return;
    if (scope !== null && !caller.scopes.has(scope)) {
      throw new CodedError('insufficient_scope', `This endpoint needs the scope ${scope}`, {
        facts: { scope },
      });
    }
    if (symbol !== null) requireSymbols(caller, [symbol]);
    access.budgets.take(caller.holder);
  }

  /** Admits a caller without waiting; null if its token must be verified first. */
  function admitCached(request: FastifyRequest, route: RouteAuth): Caller | null {
    const { authorization } = request.headers;
    if (authorization === undefined && authRequired && !isInternal(route)) {
      throw new CodedError('token_required');
    }
    const caller = authorization === undefined ? anonymous : access.tokens.peek(bearerOf(authorization));
    if (caller !== null) admit(request, caller, route);
    return caller;
  }

  async function admitVerified(request: FastifyRequest, route: RouteAuth): Promise<void> {
    admit(request, await access.tokens.callerOf(bearerOf(request.headers.authorization ?? '')), route);
  }

  /** Logs the call of a token holder to the audit trail. */
  function note(holder: Holder | null, operation: string, symbol: string | null, status: number): void {
    if (holder === null) return;
    const logged = symbol !== null && TICKER.test(symbol) ? symbol : null;
    access.trail.note(holder, operation, logged, status);
  }

  return {
    /** Authenticates and authorises the requests of a route. */
    at:
      (route: RouteAuth): onRequestHookHandler =>
      (request, _reply, done) => {
        request.operation = route.operationId;
        let isAdmitted: boolean;
        try {
          isAdmitted = route.scope === null || admitCached(request, route) !== null;
        } catch (refusal) {
          done(refusal as Error);
          return;
        }
        if (isAdmitted) done();
        else admitVerified(request, route).then(() => done(), done);
      },
    /** The caller by a header `Authorization`; null where there is no caller yet or none at all. */
    peek(authorization: string | undefined): Caller | null {
      if (authorization === undefined) return authRequired ? null : anonymous;
      const token = BEARER.exec(authorization)?.[1];
      return token === undefined ? null : access.tokens.peek(token);
    },
    /** Counts a call about a symbol if the caller may make it. */
    takes(caller: Caller, scope: AccessScope, symbol: string): boolean {
      try {
        take(caller, scope, symbol);
        return true;
      } catch {
        return false;
      }
    },
    note,
    /** Logs a request that a route has authenticated. */
    noteCall(request: FastifyRequest, status: number): void {
      if (request.holder !== null) note(request.holder, request.operation, symbolOf(request), status);
    },
  };
}

/** The authenticated caller; only for routes with a scope. */
export function callerOf({ caller }: FastifyRequest): Caller {
  if (caller === null) throw new Error('This route has no caller: its entry names no scope.');
  return caller;
}

/** @throws CodedError forbidden: what is loaded is of every symbol */
export function requireWhole(request: FastifyRequest): void {
  if (callerOf(request).symbols === null) return;
  throw new CodedError('forbidden', 'Files and what is loaded are for callers who may see every symbol');
}

/**
 * The authenticated caller at the past minute of the parameter `as_of`, if there is one.
 *
 * @throws ValidationRefusal as_of_not_reached
 */
export const callerAt = (request: FastifyRequest, { clock }: { readonly clock: Clock }): Caller =>
  viewerAt(callerOf(request), (request.query as { readonly as_of?: string }).as_of, clock.now());

/** The token of an authenticated request; null without one. */
export const tokenOf = ({ caller, headers }: FastifyRequest): string | null =>
  (caller?.holder ?? null) === null ? null : bearerOf(headers.authorization ?? '');

const BEARER = /^Bearer +([\w.~+/-]+=*)$/i;

/** @throws CodedError invalid_token, unless it is a Bearer header */
export function bearerOf(authorization: string): string {
  const token = BEARER.exec(authorization)?.[1];
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
 * A loopback caller, but neither a proxy on this machine nor a page of another site: one that DNS rebinding led here,
 * or one that may read answers by `TIGRAPH_ALLOWED_ORIGINS`.
 */
function isOfThisMachine({ ip, headers }: FastifyRequest): boolean {
  const isProxied =
    headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined || headers.via !== undefined;
  const isCalledByAddress = isLoopbackName(hostNameOf(headers.host ?? '') ?? '');
  return (
    !isProxied &&
    isCalledByAddress &&
    isOwnPage(headers) &&
    /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(ip)
  );
}

/** True of a page that this service has served, and of a caller that is no page. */
const isOwnPage = ({ origin, host = '' }: FastifyRequest['headers']): boolean =>
  origin === undefined || URL.parse(origin)?.host === URL.parse(`http://${host}`)?.host;

/** The symbol in the address, in capitals. */
function symbolOf(request: FastifyRequest): string | null {
  const { symbol } = (request.params ?? {}) as { symbol?: string };
  return symbol === undefined ? null : canonicalSymbol(symbol);
}

/** Of a route with `SymbolPath`. */
export const symbolAt = (request: FastifyRequest): string => symbolOf(request)!;
