import { inTime } from '../stocks/cached-answer.ts';
import { unpackTopology } from '../../analysis/diffusion/packed.ts';
import { abortable } from '../../base/abortable.ts';
import { CodedError } from '../../base/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import type { Diffuser } from '../../workers/task-threads.ts';
import type { TopologyCache } from './topology-cache.ts';

/** Versions of the request and of the answer that this program speaks. */
const DIFFUSION_SCHEMA_VERSION = 1;

export interface DiffusionRequest {
  /** By symbol, capitals or not, the simple return as a fraction; null where there is none. */
  readonly returns: Readonly<Record<string, number | null>>;
  readonly schemaVersion: number | undefined;
}

export interface DiffusionContext {
  readonly clock: Clock;
  /** Null where the operator has switched diffusion off. */
  readonly diffusion: { readonly diffuser: Diffuser; readonly topologies: TopologyCache } | null;
  /** How long a caller waits at most. */
  readonly queryTimeoutMs: number;
}

/** @throws CodedError feature_disabled, unsupported_schema_version */
export function checkDiffusion({ diffusion }: DiffusionContext, schemaVersion: unknown): void {
  if (diffusion === null) throw new CodedError('feature_disabled', 'Diffusion is switched off here');
  if (typeof schemaVersion !== 'number' || !Number.isInteger(schemaVersion)) return;
  if (schemaVersion !== DIFFUSION_SCHEMA_VERSION) {
    throw new CodedError(
      'unsupported_schema_version',
      `Schema version ${schemaVersion} is not spoken here; version ${DIFFUSION_SCHEMA_VERSION} is`,
    );
  }
}

/** The places of the symbols of a packed topology. */
export const placesOf = (packed: Uint8Array): ReadonlyMap<string, number> =>
  new Map(unpackTopology(packed).symbols.map((symbol, place) => [symbol, place]));

/**
 * Divergence scores of supplied returns over the newest topology, as the JSON text of the answer. Skipped are symbols of
 * the topology without a return or without peers that have one, and supplied ones that the topology does not know; each
 * symbol counts once.
 *
 * @throws CodedError feature_disabled, unsupported_schema_version, topology_not_loaded, overloaded, query_timeout
 */
export async function computeDiffusion(
  context: DiffusionContext,
  request: DiffusionRequest,
): Promise<Buffer> {
  checkDiffusion(context, request.schemaVersion);
  return inTime(context, 'The scores were not computed', (signal) =>
    abortable(diffuse(context, request), signal),
  );
}

async function diffuse(context: DiffusionContext, request: DiffusionRequest): Promise<Buffer> {
  const { diffuser, topologies } = context.diffusion!;
  const topology = await topologies.newest();
  if (topology === null) throw new CodedError('topology_not_loaded');
  const returns = new Float64Array(topology.places.size).fill(Number.NaN);
  const unknown = new Set<string>();
  for (const [name, value] of Object.entries(request.returns)) {
    const symbol = canonicalSymbol(name);
    const place = topology.places.get(symbol);
    if (place === undefined) unknown.add(symbol);
    else if (value !== null) returns[place] = value;
  }
  const { scores, computed } = await diffuser.run({
    digest: topology.digest,
    packed: topology.packed,
    returns,
  });
  const head = JSON.stringify({
    schema_version: DIFFUSION_SCHEMA_VERSION,
    computed_at: new Date(context.clock.now()).toISOString(),
    symbols_computed: computed,
    symbols_skipped: topology.places.size - computed + unknown.size,
    topology_built_at: new Date(topology.builtAt).toISOString(),
  });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"scores":`), scores, Buffer.from('}')]);
}
