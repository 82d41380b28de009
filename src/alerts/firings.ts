import type { Queryable, QueryOptions } from '../database/queryable.ts';

/** A stored firing. */
export interface StoredFiring {
  readonly id: string;
  readonly alert: string;
  readonly symbol: string;
  readonly trade_date: string;
  readonly at: Date;
  readonly price: number | null;
  readonly says: string;
  readonly sentence: string;
}

export interface FiringsWanted {
  /** The client of a token; empty for callers without one. */
  readonly owner: string;
  /** Nothing newer, epoch milliseconds. */
  readonly until: number;
  readonly alert?: string | undefined;
  /** Null for all. */
  readonly symbols: readonly string[] | null;
  readonly tradeDate?: string | undefined;
  readonly limit: number;
}

/** Firings of an owner up to an instant, newest first; what comes later changes none of them. */
export const readFirings = (
  database: Queryable,
  { owner, until, alert, symbols, tradeDate, limit }: FiringsWanted,
  options: QueryOptions = {},
): Promise<StoredFiring[]> =>
  database.query<StoredFiring>(
    `select id, rule as alert, symbol, trade_date::text as trade_date, at, price, says, sentence from alert_firing
     where owner = $1 and at <= $2::timestamptz and ($3::uuid is null or rule = $3::uuid)
       and ($4::text[] is null or symbol = any($4::text[])) and ($5::date is null or trade_date = $5::date)
     order by at desc, symbol, id limit $6`,
    [owner, new Date(until), alert ?? null, symbols, tradeDate ?? null, limit],
    options,
  );

export interface StoredDelivery {
  readonly firing: string;
  readonly receiver: string;
  readonly channel: string;
  readonly state: string;
  readonly log: readonly { readonly at: string; readonly says: string }[];
}

/** What became of firings on their way, by firing. */
export async function readDeliveries(
  database: Queryable,
  firings: readonly Pick<StoredFiring, 'id' | 'trade_date'>[],
): Promise<Map<string, StoredDelivery[]>> {
  const rows = await database.query<StoredDelivery>(
    `select o.firing, o.receiver, r.channel, o.state, o.log
     from unnest($1::date[], $2::text[]) as wanted (trade_date, firing)
     join alert_outbox o on o.trade_date = wanted.trade_date and o.firing = wanted.firing
     join alert_receiver r on r.id = o.receiver order by r.created_at, r.id`,
    [firings.map((one) => one.trade_date), firings.map(({ id }) => id)],
  );
  return Map.groupBy(rows, ({ firing }) => firing);
}
