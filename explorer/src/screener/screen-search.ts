/** The screen as the address holds it. */
export interface ScreenSearch {
  /** The filter as text. */
  readonly filter?: string;
  /** Paths with commas between them. */
  readonly columns?: string;
  /** `path` ascending, `-path` descending. */
  readonly sort?: string;
  readonly date?: string;
  /** `name = expression` with semicolons between them. */
  readonly computed?: string;
  /** The stock beside the table. */
  readonly symbol?: string;
}

const NAMES = ['filter', 'columns', 'sort', 'date', 'computed', 'symbol'] as const;

export const readScreenSearch = (search: Record<string, unknown>): ScreenSearch =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = search[name];
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );

const DEFAULT_COLUMNS = [
  'company_name',
  'last_price',
  'intraday_return_pct',
  'rel_volume',
  'technical.rsi_14',
  'bullish_confluence',
  'bearish_confluence',
  'net_confluence',
  'directional_bias',
].join();
const DEFAULT_SORT = '-net_confluence';

/** The chosen columns, and every computed one. */
export function columnsOf(search: ScreenSearch): string[] {
  const chosen = (search.columns ?? DEFAULT_COLUMNS)
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  const computed = Object.keys(computedOf(search)).map((name) => `computed.${name}`);
  return [...new Set([...chosen, ...computed])];
}

/** The sort key of an address as the service reads it. */
export const sortOf = ({ sort = DEFAULT_SORT }: ScreenSearch): { field: string; order: 'asc' | 'desc' } =>
  sort.startsWith('-') ? { field: sort.slice(1), order: 'desc' } : { field: sort, order: 'asc' };

/** Named expressions of an address. */
export const computedOf = ({ computed = '' }: ScreenSearch): Record<string, string> =>
  Object.fromEntries(
    computed.split(';').flatMap((part) => {
      const at = part.indexOf('=');
      return at < 1 ? [] : [[part.slice(0, at).trim(), part.slice(at + 1).trim()]];
    }),
  );

const SAVED_KEY = 'tigraph.screens';

/** Screens that the reader has named, kept in the browser. */
export function savedScreens(): Record<string, ScreenSearch> {
  try {
    return JSON.parse(localStorage.getItem(SAVED_KEY) ?? '{}') as Record<string, ScreenSearch>;
  } catch {
    return {};
  }
}

export function saveScreen(name: string, screen: ScreenSearch | null): void {
  const { [name]: _, ...others } = savedScreens();
  try {
    localStorage.setItem(SAVED_KEY, JSON.stringify(screen === null ? others : { ...others, [name]: screen }));
  } catch {
    // A browser without storage keeps the address, which is the whole screen.
  }
}
