import { pricedTickerOf } from './ticker.ts';

/**
 * The symbol that a file's name spells, or null when it spells none. Without a pattern it is what stands before the
 * first `_`, space or extension: `SPY_1min.csv` and `spy.csv` are SPY, `BRK.B.csv` is BRK.B.
 *
 * @param pattern such as `DA-{symbol}.csv`; `*` stands for anything, case does not matter
 */
export function symbolOfFile(name: string, pattern?: string): string | null {
  if (pattern !== undefined) return pricedTickerOf(patternExpression(pattern).exec(name)?.[1] ?? '');
  const stem = name.replace(/\.(csv|txt|tsv|dat)$/i, '');
  return pricedTickerOf(stem.split(/[_ ]/)[0]!);
}

/** The expression behind a file name pattern; throws a RangeError when it does not hold `{symbol}` once. */
export function patternExpression(pattern: string): RegExp {
  const parts = pattern.split('{symbol}');
  if (parts.length !== 2) throw new RangeError(`the file name pattern "${pattern}" must hold {symbol} once`);
  const [before, after] = parts.map((part) => part.split('*').map(RegExp.escape).join('.*?'));
  return new RegExp(`^${before}(.+?)${after}$`, 'i');
}
