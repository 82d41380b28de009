import type { Session } from '../base/calendar.ts';
import type { Queryable, QueryOptions } from '../database/database.ts';
import type { OptionChain } from '../market/chains.ts';
import type { ChainKind } from '../market/series.ts';

/** One chain inside a segment file, as the manifest describes it. */
export interface ChainSlice {
  readonly symbol: string;
  readonly kind: ChainKind;
  /** Epoch milliseconds. */
  readonly takenAt: number;
  readonly file: string;
  readonly segmentId: number;
  readonly bodyOffset: number;
  /** Contracts. */
  readonly rows: number;
  /** CRC-32 of the contracts' bytes in the file. */
  readonly checksum: number;
  /** Null: the source gave none. */
  readonly underlyingPrice: number | null;
  readonly style: OptionChain['style'];
  readonly multiplier: number;
  readonly simulated: boolean;
}

/** The members of a slice in a statement that names the tables `c` and `g`. */
export const CHAIN_SLICE = `json_build_object('symbol', c.symbol, 'kind', g.kind,
  'takenAt', (date_part('epoch', c.taken_at) * 1000)::bigint, 'file', g.file, 'segmentId', c.segment_id,
  'bodyOffset', c.body_offset, 'rows', c.rows, 'checksum', c.checksum, 'underlyingPrice', c.underlying_price,
  'style', c.style, 'multiplier', c.multiplier, 'simulated', c.simulated)`;

/** The chains of a symbol that were taken from one instant to another, both included; oldest first. */
export async function readChainSlices(
  database: Queryable,
  symbol: string,
  span: { readonly from: number; readonly to: number },
  options: QueryOptions = {},
): Promise<ChainSlice[]> {
  const rows = await database.query<{ slice: ChainSlice }>(
    `select ${CHAIN_SLICE} as slice
     from chain_slice c join tape_segment g on g.id = c.segment_id
     where c.symbol = $1 and c.taken_at between $2::timestamptz and $3::timestamptz order by c.taken_at`,
    [symbol, new Date(span.from).toISOString(), new Date(span.to).toISOString()],
    { ...options, keepsPlan: true },
  );
  return rows.map(({ slice }) => slice);
}

/** Of every symbol of a market the last chain that was taken in each of some sessions, from its open to its close. */
export const readLastChains = (
  database: Queryable,
  simulated: boolean,
  sessions: readonly Pick<Session, 'tradeDate' | 'open' | 'close'>[],
): Promise<{ readonly tradeDate: string; readonly slice: ChainSlice }[]> =>
  database.query(
    `select last.date as "tradeDate", ${CHAIN_SLICE} as slice
     from (select distinct on (c.symbol, s.date) s.date, c.symbol, c.taken_at
       from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as s (date, open, close)
       join chain_slice c on c.simulated = $4 and c.taken_at between s.open and s.close
       order by c.symbol, s.date, c.taken_at desc) as last
     join chain_slice c using (symbol, taken_at) join tape_segment g on g.id = c.segment_id
     order by last.symbol, last.date`,
    [
      sessions.map(({ tradeDate }) => tradeDate),
      sessions.map(({ open }) => new Date(open).toISOString()),
      sessions.map(({ close }) => new Date(close).toISOString()),
      simulated,
    ],
  );

/** The chains that the manifest has under the names of the given ones. */
export async function readKnownChains(
  database: Queryable,
  chains: readonly Pick<OptionChain, 'symbol' | 'takenAt'>[],
): Promise<ChainSlice[]> {
  const rows = await database.query<{ slice: ChainSlice }>(
    `select ${CHAIN_SLICE} as slice
     from unnest($1::text[], $2::timestamptz[]) as requested (symbol, taken_at)
     join chain_slice c using (symbol, taken_at) join tape_segment g on g.id = c.segment_id`,
    [chains.map(({ symbol }) => symbol), chains.map(({ takenAt }) => new Date(takenAt).toISOString())],
  );
  return rows.map(({ slice }) => slice);
}
