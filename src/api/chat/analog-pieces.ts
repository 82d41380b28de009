import type { FactRegistry } from '../../texts/facts/fact-registry.ts';
import { absent, fieldsOf, floored, itemOfFacts, type Piece, shortened } from '../../texts/piece.ts';
import { absence } from '../answers/absences.ts';
import type { Analogs } from './find-analogs.ts';
import type { Part } from './load-market-context.ts';

const ANALOGS_SHOWN = 10;
const OUTCOME = 'n median_pct mean_pct deviation_pct lower_quartile_pct upper_quartile_pct share_up';
const SHORT_OUTCOME = 'sessions n median_pct share_up';

/** Similar days, in pieces of `historical_analogs`, and what followed, in `analog_outcomes`. */
export function analogPieces({ value: analogs, reason }: Part<Analogs>, registry: FactRegistry): Piece[] {
  if (analogs === null) return floored([absent('stock_data', 'historical_analogs', reason)]);
  const days = analogs.items.slice(0, ANALOGS_SHOWN).flatMap(({ symbol, tradeDate, returnsPct }, at) => {
    const id = `analog.${at + 1}`;
    const returns = Array.from(returnsPct.keys(), (sessions) => `return_${sessions}`).join(' ');
    const fields = fieldsOf(id, `similarity ${returns}`);
    return itemOfFacts(['analogs', 'historical_analogs'], registry, fields, {
      symbol,
      trade_date: tradeDate,
    });
  });
  const unnamed = absent('stock_data', 'historical_analogs', absence('absent.similar_granted'));
  const outcomes = analogs.followed.flatMap(({ sessions }) =>
    itemOfFacts(['outcomes', 'analog_outcomes'], registry, fieldsOf(`analogs.${sessions}`, OUTCOME), {
      sessions,
    }),
  );
  return [...floored(shortened(outcomes, SHORT_OUTCOME)), ...floored(days.length > 0 ? days : [unnamed])];
}
