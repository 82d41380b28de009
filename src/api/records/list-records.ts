import { lastClose } from '../../base/calendar.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import { BY_DAY_REGIME, CLAIM_KINDS, type ClaimKind, RECORD_KINDS } from '../../records/index.ts';
import { DATE_REGIMES, DAY_REGIMES } from '../../records/regimes.ts';
import { grantedSymbols, requireSymbols, type Viewer, visibleInstant } from '../access/viewer.ts';
import { inTime } from '../answers/cached-answer.ts';
import { reversedRange, unknownWord } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import type { MarketName } from '../context/symbol-markets.ts';
import { loadRecords } from './load-records.ts';
import { bestSentence, recordSentence } from './record-sentence.ts';
import type { RecordsAnswer } from './schema.ts';

export interface RecordsRequest {
  /** Default: that of the symbol, else the real one where there is any. */
  readonly market?: MarketName | undefined;
  readonly kind?: ClaimKind | undefined;
  readonly key?: string | undefined;
  readonly symbol?: string | undefined;
  readonly regime?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * The records of some kinds. A caller whose grant is narrowed sees sums over its symbols alone.
 *
 * @throws ValidationRefusal for an unknown key or regime, which lists the known ones
 * @throws CodedError symbol_not_granted, query_timeout
 */
export async function listRecords(
  context: Pick<
    AppContext,
    'database' | 'calendar' | 'deriver' | 'clock' | 'queryTimeoutMs' | 'symbolMarkets'
  >,
  request: RecordsRequest,
  caller: Viewer,
): Promise<RecordsAnswer> {
  const { symbol, regime, from, to, key } = request;
  const kinds = kindsAsked(request.kind, regime);
  checkKey(kinds, key);
  if (from !== undefined && to !== undefined && from > to) throw reversedRange(from, to);
  if (symbol !== undefined) requireSymbols(caller, [symbol]);
  const asOf = lastClose(context.calendar, visibleInstant(caller, context.clock.now()));
  const symbols = symbol === undefined ? grantedSymbols(caller) : [symbol];
  const simulated = await marketAsked(context, request, caller);
  const all = await inTime(context, 'The records were not counted', (signal) =>
    Promise.all(
      kinds.map((kind) => loadRecords(context, { simulated, kind, symbols, regime, from, to, asOf }, signal)),
    ),
  );
  const asked = all.filter(
    ({ records }) => key === undefined || records.some((record) => record.key === key),
  );
  const records = asked.flatMap((own) =>
    own.records.filter((record) => key === undefined || record.key === key),
  );
  const best = asked.flatMap((own) => own.best ?? []);
  return {
    as_of: new Date(asOf).toISOString(),
    source: caller.source,
    simulated,
    records: records.map((record) => ({ ...record, says: recordSentence(record) })),
    best: best.map((own) => ({ ...own, says: bestSentence(own) })),
  };
}

/** The market of records: that of the symbol, the one asked for, or that of an answer which names none. */
export const marketAsked = (
  { symbolMarkets }: Pick<AppContext, 'symbolMarkets'>,
  { symbol, market }: Pick<RecordsRequest, 'symbol' | 'market'>,
  viewer: Viewer,
): Promise<boolean> =>
  symbol === undefined ? symbolMarkets.marketFor(viewer, market) : symbolMarkets.isSimulated(symbol);

/**
 * The kinds that are asked for: a playbook however long it holds, and of a kind of day those that are made in a session.
 *
 * @throws ValidationRefusal for an unknown regime, or one that the kind is not recorded by
 */
function kindsAsked(kind: ClaimKind | undefined, regime: string | undefined): readonly ClaimKind[] {
  const asked = kind === undefined ? CLAIM_KINDS : kind === 'playbook' ? PLAYBOOK_KINDS : [kind];
  if (regime === undefined || (DATE_REGIMES as readonly string[]).includes(regime)) return asked;
  const kinds = asked.filter((each) => BY_DAY_REGIME.includes(each));
  const isOfDay = (DAY_REGIMES as readonly string[]).includes(regime);
  if (isOfDay && kinds.length > 0) return kinds;
  const known = [...DATE_REGIMES, ...(kinds.length > 0 ? DAY_REGIMES : [])];
  const sentence = isOfDay
    ? `A ${kind!.replace('_', ' ')} is not recorded by the kind of day`
    : `No regime is called '${regime}'`;
  throw new ValidationRefusal([
    unknownWord('regime', regime, [], sentence, {
      hint: `there are ${known.join(', ')}`,
      ctx: { expected: known.map((word) => `'${word}'`).join(', ') },
    }),
  ]);
}

const PLAYBOOK_KINDS: readonly ClaimKind[] = ['playbook', 'swing_playbook'];

function checkKey(kinds: readonly ClaimKind[], key: string | undefined): void {
  const known = kinds.flatMap((kind) => RECORD_KINDS[kind].keys);
  if (key === undefined || known.includes(key)) return;
  throw new ValidationRefusal([
    unknownWord('key', key, [], `No record is called '${key}'`, {
      hint: `there are ${known.join(', ')}`,
      ctx: { expected: known.map((name) => `'${name}'`).join(', ') },
    }),
  ]);
}
