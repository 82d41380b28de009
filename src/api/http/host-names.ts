import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { CodedError } from '../../base/errors.ts';
import { memoize } from '../../base/memoize.ts';
import { isLoopback, isProbe } from './hardening.ts';

/**
 * Checks the host name of a request. By DNS rebinding a site can lead a browser to a service on the same machine under
 * the site's own name, and its pages then count as pages of that service.
 */

/** Includes the IPv4-mapped loopback addresses as `URL` writes them. */
const LOOPBACK_NAME =
  /^(?:(?:[^.]+\.)*localhost|127\.\d+\.\d+\.\d+|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/;
/** A target in absolute form (RFC 9112, section 3.2.2) and its authority. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;
const NAMES_MAX = 1_000;

/** The host name of an authority in lower case, without port and trailing dot; null if it names no host. */
export function hostNameOf(authority: string): string | null {
  const url = /^[^\s/?#@\\]+$/.test(authority) ? URL.parse(`http://${authority}`) : null;
  return url === null ? null : url.hostname.replace(/\.$/, '');
}

/** @param name as `hostNameOf` returns it */
export const isLoopbackName = (name: string): boolean => LOOPBACK_NAME.test(name);

/** What is wrong with the host that a request names. A probe may use any name. */
export type HostFault = (request: IncomingMessage, isProbe: boolean) => CodedError | undefined;

/**
 * Refuses requests that name no host, more than one, or one that the operator does not allow.
 *
 * @param setting comma-separated names; `*` for all; absent for all, or for loopback names if `host` is loopback
 */
export function guardHosts(app: FastifyInstance, host: string, setting: string | undefined): HostFault {
  const isAllowed = memoize(NAMES_MAX, allowedHosts(host, setting));
  const nameOf = memoize(NAMES_MAX, hostNameOf);
  app.addHook('onRequest', (request, _reply, done) => done(faultOfRequest(request.raw, isProbe(request))));
  return faultOfRequest;
  function faultOfRequest(request: IncomingMessage, isProbed: boolean): CodedError | undefined {
    // The parser takes a line without a version for HTTP/0.9, and any other version as it comes.
    if (request.httpVersionMajor !== 1) {
      return new CodedError('malformed_request', 'The request line has to end with HTTP/1.1 or HTTP/1.0');
    }
    if (hostLines(request) > 1) {
      return new CodedError('malformed_request', 'There is more than one Host header line');
    }
    // Only HTTP/1.0 may omit the header.
    return isProbed ? undefined : (faultOf(request.headers.host) ?? faultOf(targetHost(request.url!)));
  }
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

/** Node silently keeps the first of several Host headers. */
function hostLines({ rawHeaders }: IncomingMessage): number {
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
