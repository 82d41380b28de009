import type { FastifyRequest } from 'fastify';
import { CodedError } from '../base/errors.ts';
import type { Viewer } from '../operations/world.ts';

export interface ViewerPolicy {
  readonly authRequired: boolean;
  /** What a caller without a token is taken for: one with the delayed feed. */
  readonly anonymous: Viewer;
}

/**
 * Who asks, and what they may see.
 *
 * @throws CodedError token_required, invalid_token
 */
export function viewerOf(request: FastifyRequest, policy: ViewerPolicy): Viewer {
  // No token has been issued by this service yet, so none that is presented can be good; a caller who believes to be
  // somebody is told so rather than served as nobody.
  if (request.headers.authorization !== undefined) {
    throw new CodedError('invalid_token');
  }
  if (policy.authRequired) throw new CodedError('token_required');
  return policy.anonymous;
}
