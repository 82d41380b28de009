import { present } from '../shared/present.ts';

/** The backtest page as the address holds it. */
export interface BacktestSearch {
  /** The run that is shown. */
  readonly run?: string;
  /** The run beside it. */
  readonly beside?: string;
}

const idOf = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value) ? value : undefined;

export const readBacktestSearch = (search: Record<string, unknown>): BacktestSearch =>
  present({ run: idOf(search.run), beside: idOf(search.beside) });
