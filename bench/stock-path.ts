import { INCLUDE_FIELDS } from '../src/derive/compose.ts';

/** Where stock detail is asked for. */
export const STOCKS = '/api/graph/v1/stocks';

/** Every block that is served on request only. */
export const EVERY_INCLUDE = [...new Set(INCLUDE_FIELDS.values())].join();
