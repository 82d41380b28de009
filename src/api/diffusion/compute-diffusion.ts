import { CodedError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { inTime } from '../answers/cached-answer.ts';
import type { AppContext } from '../context/app-context.ts';

const DIFFUSION_SCHEMA_VERSION = 1;

export interface DiffusionRequest {
  /** Simple returns as fractions by symbol, in any case; null for none. */
  readonly returns: Readonly<Record<string, number | null>>;
  readonly schemaVersion: number | undefined;
}

type DiffusionContext = Pick<AppContext, 'clock' | 'diffusion' | 'queryTimeoutMs' | 'symbolMarkets'>;

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

/**
 * Divergence scores of supplied returns over the newest topology of their market, as JSON text. Skips symbols of the topology without a
 * return or without peers that have one, and supplied symbols that it lacks.
 *
 * @throws CodedError feature_disabled, unsupported_schema_version, topology_not_loaded, overloaded, query_timeout
 */
export async function computeDiffusion(
  context: DiffusionContext,
  request: DiffusionRequest,
): Promise<Buffer> {
  checkDiffusion(context, request.schemaVersion);
  return inTime(context, 'The scores were not computed', (signal) => diffuse(context, request, signal));
}

async function diffuse(
  context: DiffusionContext,
  request: DiffusionRequest,
  signal: AbortSignal,
): Promise<Buffer> {
  const { diffuser, newestTopology } = context.diffusion!;
  const simulated = await context.symbolMarkets.marketOf(Object.keys(request.returns).map(canonicalSymbol));
  const topology = await newestTopology(simulated);
  if (topology === null) throw new CodedError('topology_not_loaded');
  const returns = new Float64Array(topology.indices.size).fill(Number.NaN);
  const unknown = new Set<string>();
  for (const [name, value] of Object.entries(request.returns)) {
    const symbol = canonicalSymbol(name);
    const index = topology.indices.get(symbol);
    if (index === undefined) unknown.add(symbol);
    else if (value !== null) returns[index] = value;
  }
  const { scores, computed } = await diffuser.run(
    { digest: topology.digest, packed: topology.packed, returns },
    signal,
  );
  const head = JSON.stringify({
    schema_version: DIFFUSION_SCHEMA_VERSION,
    simulated,
    computed_at: new Date(context.clock.now()).toISOString(),
    symbols_computed: computed,
    symbols_skipped: topology.indices.size - computed + unknown.size,
    topology_built_at: new Date(topology.builtAt).toISOString(),
  });
  return Buffer.concat([Buffer.from(`${head.slice(0, -1)},"scores":`), scores, Buffer.from('}')]);
}
