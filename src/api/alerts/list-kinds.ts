import { ALERT_KINDS } from '../../alerts/kinds/index.ts';

/** What alerts wait for, as forms and agents learn of it. */
export const listKinds = () =>
  ALERT_KINDS.map(({ name, title, description, parameters, example, isOfMarket = false, phrases = [] }) => ({
    name,
    title,
    description,
    parameters,
    example,
    of_market: isOfMarket,
    phrases: phrases.map(({ pattern, words = {}, example: typed }) => ({
      pattern: pattern.source,
      words,
      example: typed,
    })),
  }));
