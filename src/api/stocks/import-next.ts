import { COMPONENTS } from '../../analysis/scoring/components.ts';
import { ENTRY_COMPONENTS } from '../../analysis/scoring/entry.ts';
import { PULSE_COMPONENTS } from '../../analysis/scoring/pulse.ts';

/** What to import so that more of a stock is known, by what is null in its scores. */

export const IMPORTABLE = [
  'daily_bars',
  'minute_bars',
  'option_chain',
  'volatility_index',
  'trades',
  'earnings',
  'news',
] as const;
export type Importable = (typeof IMPORTABLE)[number];

/** What brings an input, by its name; the first pattern that fits. */
const BRINGS: readonly (readonly [input: RegExp, data: Importable])[] = [
  [/^(iv_|pricing_edge_|greek_lean)/, 'option_chain'],
  [/^vix$/, 'volatility_index'],
  [/^(days_to_earnings|days_since_earnings|surprise_pct)$/, 'earnings'],
  [/^news_/, 'news'],
  [/^(cvd_|recent_cvd)/, 'trades'],
  [
    /^(vwap_|volume_pace|trend_score|orb_|intraday_return|open_return|ib_|off_|turn_|pulse_|level_)/,
    'minute_bars',
  ],
  [/./, 'daily_bars'],
];

const bringsInput = (input: string): Importable => BRINGS.find(([pattern]) => pattern.test(input))![1];

export const IMPORT_SAYS: Readonly<Record<Importable, string>> = {
  daily_bars: 'Daily bars of at least 60 sessions in a row; averages of 200 sessions take 200.',
  minute_bars: 'One-minute bars of this session and of the one before.',
  option_chain: 'An option chain of this session or the one before, with quotes and open interest.',
  volatility_index: 'Daily values of the VIX over the same sessions.',
  trades: 'Trades of this session with their quotes.',
  earnings: 'Earnings of the company, or the date of the next.',
  news: 'News of the stock.',
};

interface Line {
  readonly side: 'bull' | 'bear';
  readonly component: string;
  /** Those that are known. */
  readonly inputs: Readonly<Record<string, unknown>>;
}

interface Inputs {
  readonly inputs: { readonly bull: readonly string[]; readonly bear: readonly string[] };
}
/** Components of the three scores; those of one name have the same inputs. */
const PARTS: Readonly<Record<string, Inputs>> = { ...COMPONENTS, ...PULSE_COMPONENTS, ...ENTRY_COMPONENTS };

export interface ImportNext {
  readonly data: Importable;
  readonly says: string;
  readonly wakes: string[];
}

/**
 * Of each kind of data that lines of a ledger lack, which lines it would wake; what wakes most comes first.
 *
 * @param hasMinutes whether the session has its minutes: then what is measured in them lacks a daily ATR
 * @param hasResults whether it is of a company: a fund has no earnings
 */
export function importNext(lines: readonly Line[], hasMinutes: boolean, hasResults: boolean): ImportNext[] {
  const wakes = new Map<Importable, Set<string>>();
  for (const { side, component, inputs } of lines)
    for (const input of PARTS[component]?.inputs[side] ?? [])
      if (!Object.hasOwn(inputs, input)) {
        const brings = bringsInput(input);
        const data = brings === 'minute_bars' && hasMinutes ? 'daily_bars' : brings;
        wakes.getOrInsertComputed(data, () => new Set()).add(component);
      }
  if (!hasResults) wakes.delete('earnings');
  return [...wakes]
    .map(([data, components]) => ({ data, says: IMPORT_SAYS[data], wakes: [...components].sort() }))
    .sort(
      (one, other) =>
        other.wakes.length - one.wakes.length ||
        IMPORTABLE.indexOf(one.data) - IMPORTABLE.indexOf(other.data),
    );
}
