import type { InputMirror } from '../conditions.ts';

interface InputMeaning {
  /** In the trade's words. */
  readonly says: string;
  readonly unit: string;
  readonly mirror: InputMirror;
}

const figure =
  (sign: 1 | -1) =>
  (as: string, unit: string, says: string): InputMeaning => ({ says, unit, mirror: { as, sign, about: 0 } });

/** Takes both signs: above 0 it speaks for longs. */
const lean = figure(-1);
/** A size, which knows no side. */
const size = figure(1);
/** A price: its mirror is minus that of `as`. */
const price = (as: string, says: string): InputMeaning => lean(as, 'USD', says);

/**
 * What playbooks ask about. A condition names its inputs in this order, so that both sides of a playbook quote theirs
 * alike. ATR without more is the daily ATR(14).
 */
const MEANINGS = {
  price: price('price', 'Last price.'),
  vwap: price('vwap', 'VWAP of the session.'),
  vwap_atr: lean('vwap_atr', 'ATR', 'Last price less VWAP.'),
  vwap_30m_ago: price('vwap_30m_ago', 'VWAP 30 one-minute bars ago.'),
  vwap_run: lean(
    'vwap_run',
    'bars',
    'One-minute closes in a row on the side of VWAP where the last one is; minus below.',
  ),
  vwap_excursion_atr: lean('vwap_excursion_atr', 'ATR', 'Furthest close from VWAP in that run; minus below.'),
  orb_high: price('orb_low', 'High of 9:30-9:45, once that is over.'),
  orb_low: price('orb_high', 'Low of 9:30-9:45, once that is over.'),
  orb_lean: lean('orb_lean', '', 'What the opening ranges of 5, 15 and 30 minutes say, -1 to 1.'),
  orb_retest_run: lean(
    'orb_retest_run',
    'bars',
    'One-minute closes in a row beyond the range of 9:30-9:45 since price came back to its edge from 0.1 ATR beyond; minus below it, 0 without a return.',
  ),
  ib_high: price('ib_low', 'High of the first hour, once that is over.'),
  ib_low: price('ib_high', 'Low of the first hour, once that is over.'),
  ib_range: size('ib_range', 'USD', 'High less low of the first hour.'),
  session_high: price('session_low', 'Highest price of the regular session so far.'),
  session_low: price('session_high', 'Lowest price of the regular session so far.'),
  session_ema_9: price('session_ema_9', 'EMA 9 of the one-minute closes of the session.'),
  session_ema_20: price('session_ema_20', 'EMA 20 of the same.'),
  session_ema_20_excursion_atr: lean(
    'session_ema_20_excursion_atr',
    'ATR',
    'Furthest close from that EMA 20 since the closes are on its present side; minus below.',
  ),
  session_ema_50: price('session_ema_50', 'EMA 50 of the same.'),
  session_ema_50_10m_ago: price('session_ema_50_10m_ago', 'EMA 50 of the same ten bars ago.'),
  intraday_return_atr: lean('intraday_return_atr', 'ATR', 'Last price less the close before the session.'),
  rotation_score: size('rotation_score', '', 'Two-sided trade of the day, 0 to 1.'),
  trend_score: lean('trend_score', '', 'Direction and strength of the day, -1 to 1.'),
  volume_pace: size(
    'volume_pace',
    'times',
    'Shares since the open over those of the session before after as long.',
  ),
  rel_vol_5d: size('rel_vol_5d', 'times', 'Volume over its mean of five sessions.'),
  ema_9: price('ema_9', 'EMA 9 of daily closes.'),
  ema_20: price('ema_20', 'EMA 20 of daily closes.'),
  sma_20: price('sma_20', 'SMA 20 of daily closes.'),
  sma_50: price('sma_50', 'SMA 50 of daily closes.'),
  sma_200: price('sma_200', 'SMA 200 of daily closes.'),
  atr: size('atr', 'USD', 'Daily ATR(14).'),
  adx_14: size('adx_14', '', 'Daily ADX(14).'),
  rsi_14: { says: 'Daily RSI(14).', unit: '', mirror: { as: 'rsi_14', sign: -1, about: 100 } },
  support: price('resistance', 'Nearest standing level at or below the last price.'),
  resistance: price('support', 'Nearest standing level above the last price.'),
  support_atr: size('resistance_atr', 'ATR', 'Distance to that support.'),
  resistance_atr: size('support_atr', 'ATR', 'Distance to that resistance.'),
  support_zone_high: price(
    'resistance_zone_low',
    'Upper edge of the nearest zone, of levels that stood before the open, whole below the last price.',
  ),
  support_zone_low: price('resistance_zone_high', 'Lower edge of that zone.'),
  support_zone_families: size(
    'resistance_zone_families',
    'families',
    'Families whose levels meet in that zone.',
  ),
  resistance_zone_high: price(
    'support_zone_low',
    'Upper edge of the nearest zone, of levels that stood before the open, whole above the last price.',
  ),
  resistance_zone_low: price('support_zone_high', 'Lower edge of that zone.'),
  resistance_zone_families: size(
    'support_zone_families',
    'families',
    'Families whose levels meet in that zone.',
  ),
  range_3d_high: price('range_3d_low', 'Highest price of the last three completed sessions.'),
  range_3d_low: price('range_3d_high', 'Lowest price of the last three completed sessions.'),
  narrow_session: size(
    'narrow_session',
    '',
    '1 when the last completed session was the narrowest of seven or an inside day, else 0.',
  ),
  atr_compression_ratio: size('atr_compression_ratio', 'times', 'ATR(3) over ATR(14).'),
  surprise_pct: lean('surprise_pct', 'percent', 'How far the newest results beat what was expected.'),
  days_since_earnings: size('days_since_earnings', 'days', 'Calendar days since the newest results.'),
  days_to_earnings: size('days_to_earnings', 'days', 'Calendar days to the next results.'),
} as const satisfies Readonly<Record<string, InputMeaning>>;

export type PlaybookInput = keyof typeof MEANINGS;

/** Named figures that playbooks ask about; NaN: not known. */
export type PlaybookInputs = Readonly<Record<PlaybookInput, number>>;

export const INPUT_MEANINGS = MEANINGS as Readonly<Record<PlaybookInput, InputMeaning>>;

/** In the order in which conditions name them. */
export const PLAYBOOK_INPUTS = Object.keys(MEANINGS) as PlaybookInput[];

export function mirrorOf(input: PlaybookInput): InputMirror<PlaybookInput> {
  return INPUT_MEANINGS[input].mirror as InputMirror<PlaybookInput>;
}
