import type { MarketContext } from '../shared/api/queries.ts';
import { labelOf } from '../shared/levels.ts';
import { formatNumber, formatPrice } from '../shared/ui/number.tsx';

/** Lists beside the chart: their text, their screens, and the words of a line. */

export const symbolsText = (symbols: readonly string[]): string => symbols.join('\n');

/** Symbols by comma, space or line, each once, without `$` or an exchange before them; `# words` and `###section` are left out. */
export function readSymbols(text: string): string[] {
  const words = text
    .split('\n')
    .filter((line) => !/^\s*#(?!##)/.test(line))
    .flatMap((line) => line.split(/[,;]/))
    .filter((part) => !part.trim().startsWith('###'))
    .flatMap((part) => part.trim().split(/\s+/))
    .map((word) => word.replace(/^\$|^[A-Za-z_]{2,}:/, '').toUpperCase());
  return [...new Set(words)].filter((word) => word !== '');
}

type Row = Readonly<Record<string, unknown>>;

interface Level {
  readonly words: string;
  readonly tip: string;
  readonly away: number;
}

function levelOf(row: Row, side: 'nearest_resistance' | 'nearest_support', word: string): Level[] {
  const [name, price, atr, pct] = ['name', 'price', 'distance_atr', 'distance_pct'].map(
    (field) => row[`level_ladder.${side}.${field}`],
  );
  if (typeof name !== 'string' || typeof price !== 'number' || typeof pct !== 'number') return [];
  const away = Math.abs(typeof atr === 'number' ? atr : pct);
  const [amount, exact] = [formatNumber(away, 1), formatNumber(away, 2)];
  const unit = typeof atr === 'number' ? 'ATR' : '%';
  const label = labelOf(name);
  return [
    {
      words: amount === '0.0' ? `at ${label}` : `${label} ${amount}${unit === '%' ? ' %' : ''} ${word}`,
      tip: `${label} ${formatPrice(price)}, ${exact} ${unit} ${word}`,
      away: Math.abs(pct),
    },
  ];
}

/** The nearer of the next levels up and down, and both; null where none is known. */
export function nextLevel(row: Row): { readonly words: string; readonly tip: string } | null {
  const levels = [
    ...levelOf(row, 'nearest_resistance', 'above'),
    ...levelOf(row, 'nearest_support', 'below'),
  ];
  const [nearest] = levels.toSorted((a, b) => a.away - b.away);
  return nearest === undefined
    ? null
    : { words: nearest.words, tip: levels.map(({ tip }) => tip).join('\n') };
}

/**
 * The last session that was over at a past minute: a screen knows whole sessions, and nothing later may be shown.
 *
 * @returns null while it is not known
 */
export function wholeSession(
  asOf: string,
  clock: Pick<MarketContext['clock'], 'trade_date' | 'previous_session' | 'phases'> | undefined,
): string | null {
  const end = clock?.phases.at(-1)?.closes_at;
  if (clock === undefined || end === undefined) return null;
  return Date.parse(end) <= Date.parse(asOf) ? clock.trade_date : clock.previous_session;
}
