import type { FastifyInstance, FastifyRequest } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import { isLoopback } from './hardening.ts';
import { isProbe } from './probes.ts';

/**
 * The names by which the service is called. A browser can be led to a service of its own machine by any name that the
 * owner of a site lets point there (DNS rebinding), and its pages then count as pages of that service.
 */

/** Also the address of this machine in its longer form, as `URL` writes it. */
const LOOPBACK_NAME =
  /^(?:(?:[^.]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
/** A target in absolute form (RFC 9112, section 3.2.2) and its authority. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
/** Authorities whose name is remembered, and how long one may be for it. */
const NAMES_MAX = 1_000;
const REMEMBERED_LENGTH_MAX = 300;

/** A `Host` line or an authority as a name in lower case, without port and last dot; null for what names no host. */
export function hostNameOf(authority: string): string | null {
  const url = /^[^\s/?#@\\]+$/.test(authority) ? URL.parse(`http://${authority}`) : null;
  return url === null ? null : url.hostname.replace(/\.$/, '');
}

/** @param name as `hostNameOf` gives it */
export const isLoopbackName = (name: string): boolean => LOOPBACK_NAME.test(name);

/**
 * Refuses requests that name no host, or more than one, and those that name another than the operator lets the service
 * answer for. Probes may use any name.
 *
 * @param setting names with commas between them; `*` for all; absent for all, or for those of this machine where `host`
 *   is an address of its own
 */
export function guardHosts(app: FastifyInstance, host: string, setting: string | undefined): void {
  const isAllowed = allowedHosts(host, setting);
  const names = new Map<string, string | null>();
  const nameOf = (authority: string): string | null => {
    const known = names.get(authority);
    if (known !== undefined) return known;
    const name = hostNameOf(authority);
    if (authority.length > REMEMBERED_LENGTH_MAX) return name;
    if (names.size >= NAMES_MAX) names.clear();
    names.set(authority, name);
    return name;
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (hostLines(request) > 1) {
      return done(new CodedError('malformed_request', 'There is more than one Host header line'));
    }
    if (isProbe(request)) return done();
    // Only HTTP/1.0 may lack the line.
    done(faultOf(request.headers.host) ?? faultOf(targetHost(request.url)));
  });
  function faultOf(authority: string | undefined): CodedError | undefined {
    if (authority === undefined) return undefined;
    const name = nameOf(authority);
    if (name === null) return new CodedError('malformed_request', 'The Host header line names no host');
    return isAllowed(name) ? undefined : new CodedError('misdirected_request');
  }
}

/** The authority of a target in absolute form. */
const targetHost = (url: string): string | undefined =>
  url.startsWith('/') ? undefined : ABSOLUTE.exec(url)?.[1];

/** The runtime keeps the first of several lines and says nothing. */
function hostLines({ raw: { rawHeaders } }: FastifyRequest): number {
  let lines = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 4 && name.toLowerCase() === 'host') lines++;
  }
  return lines;
}

function allowedHosts(host: string, setting: string | undefined): (name: string) => boolean {
  if (setting?.trim() === '*' || (setting === undefined && !isLoopback(host))) return () => true;
  const named = new Set((setting ?? '').split(',').map((name) => hostNameOf(name.trim())));
  return (name) => isLoopbackName(name) || named.has(name);
}
