import { readInstant } from '../../shared/instant.ts';
import { present, textsOf } from '../../shared/present.ts';

/** State of the page Compare; what is absent has its default. */
export interface CompareSearch {
  /** `A,B,C`. */
  readonly symbols?: string;
  readonly as_of?: string;
  /** One above the other on one scale; absent for side by side. */
  readonly view?: 'lines';
  /** The session from whose open on the lines run; absent for that of the instant. */
  readonly since?: string;
}

export const COMPARED_MAX = 4;

export const readCompareSearch = (search: Record<string, unknown>): CompareSearch =>
  present({
    ...textsOf(search, 'symbols'),
    as_of: readInstant(search.as_of),
    view: search.view === 'lines' ? ('lines' as const) : undefined,
    since: /^\d{4}-\d\d-\d\d$/.test(`${search.since}`) ? `${search.since}` : undefined,
  });

/** The symbols of a text, each once, at most four. */
export const comparedOf = (text: string | undefined): readonly string[] =>
  [...new Set((text ?? '').toUpperCase().split(/[\s,]+/))].filter(Boolean).slice(0, COMPARED_MAX);
