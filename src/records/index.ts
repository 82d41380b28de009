import { chainKinds } from './chain-claims.ts';
import { divergence } from './divergence.ts';
import { expectedMove } from './expected-move.ts';
import { expiration } from './expiration.ts';
import { type FoundClaims, longestHorizon, type RecordKind } from './kind.ts';
import { level } from './level.ts';
import { pattern } from './pattern.ts';
import { playbook } from './playbook.ts';
import { score } from './score.ts';
import { swingPlaybook } from './swing-playbook.ts';

const [expirations, expectedMoves] = chainKinds([expiration, expectedMove]);

/** Every kind of claim that is recorded. */
const KINDS = {
  level,
  pattern,
  playbook,
  swing_playbook: swingPlaybook,
  score,
  divergence,
  expiration: expirations!,
  expected_move: expectedMoves!,
} as const;

export type ClaimKind = keyof typeof KINDS;

export const CLAIM_KINDS = Object.keys(KINDS) as ClaimKind[];

export const RECORD_KINDS: Readonly<Record<ClaimKind, RecordKind<never, FoundClaims | FoundClaims[]>>> =
  KINDS;

/** Kinds whose claims are made within a session: the kind of day is recorded with them. */
export const BY_DAY_REGIME: readonly ClaimKind[] = CLAIM_KINDS.filter(
  (name) => longestHorizon(RECORD_KINDS[name]) === 0,
);
