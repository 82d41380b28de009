import { ValidationRefusal } from '../../base/errors.ts';
import { claimsIn } from '../../texts/verify/index.ts';
import { viewOf } from '../../texts/verify/items.ts';
import { possibleSymbols } from '../../texts/verify/link.ts';
import { mayName } from '../access/viewer.ts';
import { inTime } from '../answers/cached-answer.ts';
import { seenTapes } from '../answers/seen-tapes.ts';
import { factsFor } from '../chat/load-stock-context.ts';
import type { AppContext, Viewer } from '../context/app-context.ts';
import { CLAIMS_MAX, type Verification, type VerifyBody } from './schema.ts';

/**
 * Compares the numbers and dates of a text with the facts of a stock that its viewer may see: of the date asked, else
 * of the newest session.
 *
 * @param request with its symbol in capitals and an existing date
 * @throws ValidationRefusal for a text with more numbers than are judged; CodedError unknown_symbol, no_session,
 *   no_data_for_date, overloaded, query_timeout
 */
export async function verifyText(
  context: AppContext,
  request: VerifyBody,
  viewer: Viewer,
): Promise<Verification> {
  const { symbol, text, date } = request;
  return inTime(context, `The facts of ${symbol} were not read`, async (signal) => {
    const [known, others] = await Promise.all([
      factsFor(context, { symbol, date }, viewer, signal),
      otherStocks(context, request, viewer, signal),
    ]);
    const { simulated, facts, levels, company, tradeDate, asOf } = known;
    const ground = { facts, levels, symbol, company, tradeDate, others };
    const view = viewOf(text, ground);
    if (view.items.length > CLAIMS_MAX) throw tooMany(text, view.items.length);
    const claims = claimsIn(view, ground);
    if (claims.length > CLAIMS_MAX) throw tooMany(text, claims.length, 'numbers, dates and words on levels');
    const summary = { matches: 0, derivable: 0, contradicts: 0, unknown: 0 };
    for (const { verdict } of claims) summary[verdict]++;
    return {
      symbol,
      trade_date: tradeDate,
      as_of: new Date(asOf).toISOString(),
      source: viewer.source,
      simulated,
      facts_known: facts.length,
      summary,
      claims,
    };
  });
}

/** Which words of a text are other stocks of the same market. */
async function otherStocks(
  context: AppContext,
  { symbol, text }: VerifyBody,
  viewer: Viewer,
  signal: AbortSignal,
): Promise<Set<string>> {
  const words = possibleSymbols(text).filter((word) => word !== symbol);
  if (words.length === 0) return new Set();
  const rows = await context.database.query<{ key: string }>(
    `select key from node where label = 'Stock' and key = any($1::text[])`,
    [words],
    { signal },
  );
  const { isSimulated, within } = context.symbolMarkets;
  const own = await within(viewer, await isSimulated(symbol));
  const keys = rows
    .map(({ key }) => key)
    .filter((key) => viewer.symbols === own.symbols || mayName(own, key));
  const tapes = await seenTapes(context, keys, viewer, { signal });
  return new Set(tapes.map((tape) => tape.symbol));
}

/** A text that is judged in part would pass for one that holds. */
const tooMany = (text: string, count: number, what = 'numbers and dates'): ValidationRefusal =>
  new ValidationRefusal([
    {
      loc: ['body', 'text'],
      msg: `Text should hold at most ${CLAIMS_MAX} ${what}, not ${count}`,
      type: 'too_long',
      input: `${text.slice(0, 100)}…`,
      ctx: { max_length: CLAIMS_MAX, actual_length: count },
    },
  ]);
