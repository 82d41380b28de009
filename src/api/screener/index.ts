export { ResultCache } from './result-cache.ts';
export { ColumnCache } from './column-cache.ts';
export { FIELD_TYPES, listScreenFields } from './list-screen-fields.ts';
export { CURSOR_LENGTH_MAX } from './screen-cursor.ts';
export {
  PAGE_DEFAULT,
  PAGE_MAX,
  type ScreenRequest,
  screenFaults,
  screenStocks,
  SELECTED_BY_DEFAULT,
} from './screen-stocks.ts';
export { newestScreenDate } from './visible-date.ts';
export { warmScreens } from './warm-screens.ts';
