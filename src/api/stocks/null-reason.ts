import { ABSENCES } from '../answers/absences.ts';

/** A stock answer as far as it tells why a field is null. */
type Stock = Readonly<Record<string, unknown>>;

/** What of today needs all shares that were traded. */
const OF_SHARES =
  /^(volume|dollar_volume_today|rel_volume)$|^price\.(regular|pre_market|after_hours)\.volume$|^price\.order_flow|^levels\.(vwap|developing_)|^volume_profile\.developing|^(cvd|buy_sell_ratio|net_buy_volume|block_trade_count|dark_|lit_)/;

/** What each field needs that is not there where it is null: the first that its path fits. */
const NEEDS: readonly (readonly [path: RegExp, reason: keyof typeof ABSENCES])[] = [
  [/_reason$|_warning$/, 'null.nothing_to_say'],
  [/^price\.partial_feed$/, 'null.whole_market'],
  [/^price\.incomplete_after$/, 'null.feed_ran'],
  [/nearest_flip\./, 'null.flip'],
  [/_bull$|_bear$|_components\./, 'null.component'],
  [/^pulse_/, 'null.pulse'],
  [/entry_/, 'null.entry'],
  [/^conviction_v5/, 'null.conviction'],
  [/gate/, 'null.gate'],
  [/^(options|gex_)/, 'null.chain'],
  [/^expected_move\./, 'null.expected_move'],
  [/^(earnings|earnings_sentiment_bias)/, 'null.results'],
  [/^analyst\./, 'null.analysts'],
  [/^ownership\./, 'null.insiders'],
  [/^fundamental/, 'null.statements'],
  [/^news\./, 'null.news'],
  [/^(company_|ceo|headquarters|employees|ipo_date|website|logo_url|symbol)/, 'null.profile'],
  [/^(cvd|buy_sell_ratio|net_buy_volume|block_trade_count|dark_|lit_)|^price\.order_flow/, 'null.flow'],
  [/^quote_timestamp$/, 'null.quotes'],
  [/^regime_v5\./, 'null.regime'],
  [/^momentum_health_v5\./, 'null.trend'],
  [
    /confluence|^(scoring_version|conviction_max|conflict_min|directional_bias|confluence_tier|bullish_tier|bearish_tier)/,
    'null.scores',
  ],
  [/tier$/, 'null.scores'],
  [/^peer_divergence_v1\./, 'null.peers'],
  [/^price\.(pre_market|after_hours|regular)\./, 'null.part_of_day'],
  [/^level_ladder\.nearest_\w+\.(state|touched_at|decided_at|holds)$/, 'null.level_today'],
  [/^(level_ladder\.nearest_|nearest_level_type)/, 'null.level'],
  [
    /^(volume_profile|day_context|bar_1min_timestamp|orb_|technical\.atr_1m)|^levels\.(ib_|orb_|overnight_|vwap|prior_poc|prior_va|developing_)/,
    'null.minutes',
  ],
  [
    /^(last_price|volume|dollar_volume_today|price|halted|updated_at|intraday_return_pct|level_ladder\.last_price)/,
    'null.bars',
  ],
  [
    /^(technical|levels|level_ladder|compression|range_3d|momentum_|is_|extreme_|adv|dollar_volume|rel_vol|volume_trend|bar_daily)/,
    'null.daily_history',
  ],
];

/** Why a field of a stock is null, in a sentence; null for a field without a rule, which a test forbids. */
export function nullReason(path: string, stock: Stock): string | null {
  const price = stock.price as { readonly partial_feed?: unknown } | null | undefined;
  if (typeof price?.partial_feed === 'string' && OF_SHARES.test(path)) return ABSENCES['null.one_exchange'];
  if (price != null && stock.volume === null && OF_SHARES.test(path)) return ABSENCES['null.unknown_volume'];
  const peers = stock.peer_divergence_reason;
  if (path.startsWith('peer_divergence_v1.') && typeof peers === 'string') return peers;
  const need = NEEDS.find(([pattern]) => pattern.test(path))?.[1];
  return need === undefined ? null : ABSENCES[need];
}
