import { nextTurn } from '../base/timers.ts';
import type { Queryable, Statement } from '../database/database.ts';
import { CONTRACT_COLUMNS, type OptionChain } from '../market/chains.ts';
import type { SegmentKind } from '../market/series.ts';
import { type ChainSlice, readKnownChains } from './chain-slices.ts';
import type { Placement } from './segment-file.ts';
import type { SegmentReader } from './segment-reader.ts';
import { newSegmentName } from './segments/segment-name.ts';
import type { SegmentStore } from './segments/segment-store.ts';
import type { NamedBatch } from './write-segment.ts';

/** A segment file that no row of the manifest names yet. */
export interface WrittenFile {
  readonly file: string;
  readonly kind: SegmentKind;
  readonly bytes: number;
  /** Of each batch. */
  readonly placements: readonly Placement[];
}

/** One of option chains, one record batch a snapshot. */
export interface WrittenChains extends WrittenFile {
  readonly chains: readonly OptionChain[];
}

export async function writeSegmentFile<Kind extends SegmentKind>(
  store: Pick<SegmentStore, 'put'>,
  kind: Kind,
  batches: readonly NamedBatch[],
): Promise<WrittenFile & { readonly kind: Kind }> {
  const file = newSegmentName(kind);
  // Loaded at the first write: readers do without the library.
  const { segmentImage } = await import('./write-segment.ts');
  const steps = segmentImage(kind, batches);
  let step = steps.next();
  while (!step.done) {
    await nextTurn();
    step = steps.next();
  }
  const { image, placements } = step.value;
  await store.put(file, image);
  return { file, kind, bytes: image.length, placements };
}

/** Notes a segment file in the manifest, where `SEGMENT` finds its number. */
export const segmentInsertion = (
  { feed, simulated }: { readonly feed: string; readonly simulated: boolean },
  { file, kind, bytes, placements }: WrittenFile,
): Statement => ({
  sql: 'insert into tape_segment (file, kind, feed, simulated, rows, bytes) values ($1, $2, $3, $4, $5, $6)',
  parameters: [file, kind, feed, simulated, placements.reduce((sum, { rows }) => sum + rows, 0), bytes],
});

/** SQL: the number of the segment file whose name is the second parameter. */
export const SEGMENT = '(select id from tape_segment where file = $2)';

export const chainKey = ({ symbol, takenAt }: Pick<OptionChain, 'symbol' | 'takenAt'>): string =>
  `${symbol} ${takenAt}`;

/** The chains that differ from those on the tape, sorted by symbol and instant. */
export async function newChains(
  database: Queryable,
  reader: SegmentReader,
  chains: readonly OptionChain[],
): Promise<OptionChain[]> {
  const slices = await readKnownChains(database, chains);
  await reader.fetchAhead(() => slices);
  const known = new Map(slices.map((slice) => [chainKey(slice), slice]));
  return chains
    .filter((chain) => {
      const slice = known.get(chainKey(chain));
      return slice === undefined || !isStored(reader, slice, chain);
    })
    .sort((a, b) => (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : a.takenAt - b.takenAt));
}

function isStored(reader: SegmentReader, slice: ChainSlice, chain: OptionChain): boolean {
  if (slice.rows !== chain.contracts.strike.length) return false;
  const stored = reader.chain(slice);
  const isSameHead =
    Object.is(stored.underlyingPrice, chain.underlyingPrice) &&
    stored.style === chain.style &&
    stored.multiplier === chain.multiplier &&
    stored.simulated === chain.simulated;
  return (
    isSameHead && CONTRACT_COLUMNS.every((name) => isSame(stored.contracts[name], chain.contracts[name]))
  );
}

const isSame = (a: Float64Array, b: Float64Array): boolean =>
  a.every((value, row) => Object.is(value, b[row]));

export async function writeChains(
  store: Pick<SegmentStore, 'put'>,
  chains: readonly OptionChain[],
): Promise<WrittenChains> {
  const batches = chains.map(({ symbol, takenAt, contracts }) => ({
    symbol,
    columns: { takenAt: new Float64Array(contracts.strike.length).fill(takenAt), ...contracts },
  }));
  return { ...(await writeSegmentFile(store, 'classed-chains', batches)), chains };
}

/** Makes the chains of a segment visible, in place of those of the same symbol and instant. */
export function chainInsertions(
  origin: { readonly feed: string; readonly simulated: boolean },
  written: WrittenChains,
): Statement[] {
  const slices = written.chains.map(({ takenAt, underlyingPrice, style, multiplier, simulated }, index) => ({
    ...written.placements[index]!,
    taken_at: new Date(takenAt).toISOString(),
    underlying_price: Number.isNaN(underlyingPrice) ? null : underlyingPrice,
    style,
    multiplier,
    simulated,
  }));
  const sql = `insert into chain_slice (symbol, taken_at, segment_id, body_offset, checksum, rows, underlying_price, style,
       multiplier, feed, simulated)
     select symbol, taken_at, ${SEGMENT}, "bodyOffset", checksum, rows, underlying_price, style, multiplier, $3, simulated
     from json_to_recordset($1::json) as slice (symbol text, taken_at timestamptz, "bodyOffset" bigint, checksum bigint,
       rows integer, underlying_price double precision, style text, multiplier double precision, simulated boolean)
     on conflict (symbol, taken_at) do update set segment_id = excluded.segment_id, body_offset = excluded.body_offset,
       checksum = excluded.checksum, rows = excluded.rows, underlying_price = excluded.underlying_price,
       style = excluded.style, multiplier = excluded.multiplier, feed = excluded.feed, simulated = excluded.simulated`;
  return [
    segmentInsertion(origin, written),
    { sql, parameters: [JSON.stringify(slices), written.file, origin.feed] },
  ];
}
