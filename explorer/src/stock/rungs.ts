import { useQuery } from '@tanstack/react-query';
import { exposureQuery, type Stock } from '../shared/api/queries.ts';
import { chainDay, countedFrom } from '../shared/chain-age.ts';
import type { Instant } from '../shared/instant.ts';
import { optionLevels } from '../shared/levels.ts';
import { hasChain } from './has-chain.ts';
import { levelToday } from './level-today.ts';

/** A level with what became of it in the session; of a wall or flip the day of its chain. */
export interface Rung {
  readonly name: string;
  readonly family: string;
  readonly price: number;
  /** From the price, ATR; null without one. */
  readonly away: number | null;
  readonly today: string;
}

interface Rungs {
  readonly price: number;
  /** Nearest first. */
  readonly above: readonly Rung[];
  readonly below: readonly Rung[];
  /** Whether it is known what became of any level today. */
  readonly isSeen: boolean;
}

/** The levels of a stock and of its dealers by their distance from the price; null without any. */
export function useRungs(stock: Stock, asOf: Instant): Rungs | null {
  const { data: exposure } = useQuery({
    ...exposureQuery(stock.symbol, asOf),
    select: (answer) => countedFrom(answer, stock),
    enabled: hasChain(stock),
  });
  const { level_ladder: ladder, last_price: last } = stock;
  if (ladder == null || ladder.levels.length === 0) return null;
  const price = ladder.last_price ?? last ?? Number.NaN;
  const isSeen = ladder.levels.some(({ state }) => state !== null);
  const levels = [
    ...ladder.levels.map((level) => ({ ...level, today: levelToday(level, isSeen) })),
    ...optionLevels(exposure).map((level) => ({ ...level, today: chainDay(exposure!) })),
  ];
  const rungs = levels
    .map(({ name, family, price: at, today }): Rung => {
      const away = ladder.atr === null ? null : Math.abs(at - price) / ladder.atr;
      return { name, family, price: at, away, today };
    })
    .toSorted((a, b) => Math.abs(a.price - price) - Math.abs(b.price - price));
  return {
    price,
    above: rungs.filter((rung) => rung.price > price),
    below: rungs.filter((rung) => rung.price <= price),
    isSeen,
  };
}
