import { readInstant } from '../shared/instant.ts';
import { present, textsOf } from '../shared/present.ts';

/** State of the pages Plan and Review; what is absent has its default. */
export interface PlanSearch {
  /** Name of a list of the reader. */
  readonly list?: string;
  /** Name of a list of a morning. */
  readonly morning?: string;
  /** Symbols with commas between them. */
  readonly symbols?: string;
  readonly date?: string;
  readonly as_of?: string;
  /** Whether levels count whose kind held less often than chance. */
  readonly all?: true;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

export const readPlanSearch = (search: Record<string, unknown>): PlanSearch => {
  const { date, ...texts } = textsOf(search, 'list', 'morning', 'symbols', 'date');
  return present({
    ...texts,
    date: date !== undefined && DATE.test(date) ? date : undefined,
    as_of: readInstant(search.as_of),
    all: search.all === true ? (true as const) : undefined,
  });
};

/** The part of a search that says whose stocks are meant. */
const stocksOf = ({ list, morning, symbols }: PlanSearch): PlanSearch => present({ list, morning, symbols });

/** The same, named also where the list is the one that is kept. */
export const stocksNamed = (search: PlanSearch, chosen: string): PlanSearch =>
  Object.keys(stocksOf(search)).length > 0 || !chosen.startsWith('list:')
    ? stocksOf(search)
    : { list: chosen.slice('list:'.length) };
