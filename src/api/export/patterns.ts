import { stockList } from './stock-list.ts';

export const patterns = stockList({
  name: 'patterns',
  says: 'a pattern of a stock as it stands at the end of a session; one file a year',
  include: 'patterns',
});
