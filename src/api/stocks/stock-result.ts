/** The shape of the answer and the words that choose its parts, for those who publish them. */
export { INCLUDE_FIELDS, StockResult } from '../../derive/compose.ts';
