import { stockList } from './stock-list.ts';

export const levels = stockList({
  name: 'levels',
  says: 'a level of the ladder of a stock at the end of a session, and what became of it in it; one file a year',
  include: 'level_ladder',
  at: ['levels'],
});
