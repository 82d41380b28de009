import type { Calendar } from '../../base/calendar.ts';
import { dateOf, midnightUtc } from '../../base/dates.ts';
import type { CorporateAction } from '../observations.ts';
import type { RefusalReason } from '../refusals.ts';
import { sensibleSplit } from './actions.ts';
import { dayWritten } from './lean-rows.ts';

interface FactorRow {
  readonly day: number;
  readonly priceFactor: number;
  readonly splitFactor: number;
  readonly referencePrice: number;
}

/** Price factors carry seven decimals, reference prices two. */
const FACTOR_ROUNDING = 0.5e-7;
const REFERENCE_ROUNDING = 0.005;
const DIVIDEND_DECIMALS_MAX = 4;

/**
 * Splits and dividends from a factor file: rows `date, price factor, split factor, reference price`, oldest first.
 * Row i holds for days up to its date D, the row after it for the days that follow, so whatever changes between the two
 * takes effect on the first session after D. With the close of D as reference price:
 * split = s[i+1] / s[i] new shares for one old, dividend = reference * (1 - p[i] / p[i+1]) dollars.
 *
 * Source: QuantConnect Lean, `CorporateFactorRow.GetSplit` and `GetDividend`; checked against Apple's published history.
 *
 * @param refuse told of each row that cannot be used
 */
export function readFactorFile(
  text: string,
  calendar: Calendar,
  refuse: (reason: RefusalReason, line: number, row: string) => void,
): CorporateAction[] {
  const actions: CorporateAction[] = [];
  let previous: FactorRow | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const row = factorRow(line);
    if (typeof row === 'string') refuse(row, index + 1, line);
    else if (previous !== null) {
      const between = actionsBetween(previous, row, calendar);
      if (typeof between === 'string') refuse(between, index + 1, line);
      else actions.push(...between);
    }
    // Across a row that cannot be read two changes would merge into one that never happened.
    previous = typeof row === 'string' ? null : row;
  }
  return actions;
}

function factorRow(line: string): FactorRow | RefusalReason {
  const fields = line.split(',').map((field) => field.trim());
  if (fields.length < 4) return 'wrong_columns';
  const day = dayWritten(fields[0]!);
  if (Number.isNaN(day)) return 'bad_time';
  const [priceFactor, splitFactor, referencePrice] = fields
    .slice(1, 4)
    .map((field) => (field === '' ? NaN : Number(field)));
  if (Number.isNaN(priceFactor! + splitFactor! + referencePrice!)) return 'not_a_number';
  if (!Number.isFinite(priceFactor! + splitFactor! + referencePrice!)) return 'not_finite';
  return { day, priceFactor: priceFactor!, splitFactor: splitFactor!, referencePrice: referencePrice! };
}

function actionsBetween(
  before: FactorRow,
  after: FactorRow,
  calendar: Calendar,
): CorporateAction[] | RefusalReason {
  const splits = before.splitFactor !== after.splitFactor;
  const pays = before.priceFactor !== after.priceFactor;
  if (!splits && !pays) return [];
  const exDate = calendar.nextSession(dateOf(before.day));
  if (exDate === null || after.day < before.day) return 'bad_time';
  const actions: CorporateAction[] = [];
  if (splits) {
    const value = sensibleSplit(after.splitFactor / before.splitFactor);
    if (!(value > 0 && Number.isFinite(value))) return 'bad_action';
    actions.push({ kind: 'split', exDate: midnightUtc(exDate), value });
  }
  if (pays) {
    const value = sensibleDividend(before, after);
    if (!(value > 0 && value < before.referencePrice)) return 'bad_action';
    actions.push({ kind: 'dividend', exDate: midnightUtc(exDate), value });
  }
  return actions;
}

/** The shortest amount, from whole cents to four decimals, that agrees with the file within the file's own rounding. */
function sensibleDividend(before: FactorRow, after: FactorRow): number {
  const share = 1 - before.priceFactor / after.priceFactor;
  const amount = before.referencePrice * share;
  const tolerance =
    (before.referencePrice * 2 * FACTOR_ROUNDING) / after.priceFactor + REFERENCE_ROUNDING * share;
  for (let decimals = 2; decimals < DIVIDEND_DECIMALS_MAX; decimals++) {
    const rounded = Number(amount.toFixed(decimals));
    if (Math.abs(rounded - amount) <= tolerance) return rounded;
  }
  return Number(amount.toFixed(DIVIDEND_DECIMALS_MAX));
}
