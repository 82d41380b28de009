import { textsOf } from '../shared/present.ts';
import { SIDES_OF_FLIP } from '../shared/screening/trade-phrases.ts';

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

export const readScreenSearch = (search: Record<string, unknown>): ScreenSearch =>
  textsOf(search, 'filter', 'columns', 'sort', 'date', 'computed', 'symbol');

const DEFAULT_COLUMNS = [
  'company_name',
  'price.day_price',
  'price.change_pct',
  'rel_volume',
  'technical.rsi_14',
  'bullish_confluence',
  'bearish_confluence',
  'net_confluence',
  'directional_bias',
].join();
const DEFAULT_SORT = '-net_confluence';

/** The chosen columns, and every computed one. */
export function columnsOf(search: ScreenSearch, ofWords: Readonly<Record<string, string>> = {}): string[] {
  const chosen = (search.columns ?? DEFAULT_COLUMNS)
    .split(',')
    .map((path) => path.trim())
    .filter((path) => path !== '');
  // Chosen columns stay as they are: what words computed is among them if it says anything.
  const shown = { ...computedOf(search), ...(search.columns === undefined ? ofWords : {}) };
  const computed = Object.keys(shown)
    .filter((name) => name !== SIDES_OF_FLIP)
    .map((name) => `computed.${name}`);
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

export const writeComputed = (computed: Readonly<Record<string, string>>): string =>
  Object.entries(computed)
    .map(([name, expression]) => `${name} = ${expression}`)
    .join('; ');

/** Screens to begin with, first those of a morning, each with the columns that show why a stock passes. */
export const READY_SCREENS: Readonly<Record<string, ScreenSearch>> = {
  Gappers: {
    filter: 'gappers',
    columns:
      'price.day_price,price.gap_pct,price.change_pct,computed.premarket_change_pct,price.pre_market.volume,company_name',
    computed:
      'premarket_change_pct = (price.pre_market.close - price.previous_close) / price.previous_close * 100',
    sort: '-price.gap_pct',
  },
  'Gappers above VWAP': {
    filter: 'gappers above vwap',
    columns:
      'price.day_price,price.gap_pct,price.change_pct,computed.volume_over_average,levels.vwap,company_name',
    computed: 'volume_over_average = volume / adv30_shares',
    sort: '-price.gap_pct',
  },
  Movers: {
    filter: 'movers',
    columns:
      'price.day_price,price.change_pct,price.gap_pct,computed.volume_over_average,net_confluence,company_name',
    computed: 'volume_over_average = volume / adv30_shares',
    sort: '-price.change_pct',
  },
  'Unusual volume': {
    filter: 'volume over 1.5x average',
    columns: 'price.day_price,price.change_pct,computed.volume_over_average,volume,adv30_shares,company_name',
    sort: '-computed.volume_over_average',
  },
  'Near a level': {
    filter: 'near a level',
    columns:
      'price.day_price,price.change_pct,nearest_level_type,level_ladder.nearest_support.distance_atr,level_ladder.nearest_resistance.distance_atr,company_name',
    sort: '-net_confluence',
  },
  'Results today': {
    filter: 'results today',
    columns:
      'price.day_price,price.change_pct,earnings.days_until,options.iv_rank,net_confluence,company_name',
    sort: '-price.change_pct',
  },
  'Gap and go': {
    filter: 'gap up over 0.5 %, price above open',
    columns:
      'price.day_price,price.gap_pct,price.change_pct,computed.volume_over_average,levels.vwap,company_name',
    computed: 'volume_over_average = volume / adv30_shares',
    sort: '-price.gap_pct',
  },
  Squeeze: {
    filter: 'squeeze',
    columns:
      'price.day_price,computed.bands_atr,compression.is_nr7,technical.adx_14,net_confluence,company_name',
    sort: 'computed.bands_atr',
  },
  'Near prior high': {
    filter: 'within 0.5 % of pdh',
    columns: 'price.day_price,levels.pdh,computed.from_pdh_pct,rel_volume,net_confluence,company_name',
    sort: 'computed.from_pdh_pct',
  },
  'Flip crossed': {
    filter: 'flip crossed',
    columns: 'price.day_price,levels.pdc,gex_gamma_flip,gex_regime,price.change_pct,company_name',
    sort: '-price.change_pct',
  },
};

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
