/** Unit of numbers of different kinds. */
const MIXED = 'mixed';

/**
 * Units by field name; the first matching rule decides. Names end in their unit where possible (`_pct`, `_atr`), the
 * contract's often do not. Elements of a list have the name of the list, values of a map the name `*`.
 */
const RULES: readonly (readonly [RegExp, string])[] = [
  [/\.inputs\.\*$|\.nearest_flip\./, MIXED],
  [/(^|[._])(contribution|maximum)$|ledger\.score$|components\.(bull|bear)_score$/, 'points'],
  [/\.(weight|correlation|relevance|magnitude)$/, 'fraction'],
  [
    /^strategies\.match_score$|^expirations\.(composite_score|edge_ratio|iv_fitness|dealer_flow|liquidity)$/,
    'points',
  ],
  [/sentiment_score$|^day_context\.(trend|rotation)_score$/, 'score'],
  [/^thematic_exposures\.momentum$/, 'percent'],
  [/^volume_profile\..*\.rows$/, 'shares'],
  [/^dark_pool_pct_1d$/, 'fraction'],
  [/^dollar_volume$/, 'USD'],
  [/^momentum_slope_60d$/, 'percent a year'],
  [/(_pct|^momentum_blend|^momentum_health_v5\.momentum_acceleration)$/, 'percent'],
  [/^fundamental\.(roe|roa|roic|.*_margin|dividend_yield|payout_ratio|.*_growth_yoy)$/, 'percent'],
  [
    /^(analyst\.target_upside|options\.(iv_percentile|iv_rank|theta_drag_15d)|regime_v5\.vix_percentile)$/,
    'percent',
  ],
  [/^options\.iv_skew$/, 'volatility'],
  [/\.bandwidth$/, 'percent'],
  [/(_atr|\.distance_atr)$/, 'ATR'],
  [/^(compression\.range_vs_atr_14|technical\.range_vs_atr_14)$/, 'ATR'],
  [/_minutes$/, 'minutes'],
  [/^conviction_v5_velocity$/, 'points per hour'],
  [/^conviction_v5_stability$/, 'fraction'],
  [/^conviction_v5\.observations$/, 'count'],
  [/^(conviction|conflict)_|^conviction_v5\.(current|session_)/, 'points'],
  [/sessions_old$/, 'sessions'],
  [/^earnings\.days_until$/, 'days'],
  [/^earnings\.consecutive_beats$/, 'quarters'],
  [/^earnings\.(beat_rate_8q)$/, 'fraction'],
  [
    /(weight_available|completeness|off_exchange_share|percent_b|\.strength|\.confidence|^regime_v5\.breadth)$/,
    'fraction',
  ],
  [
    /^(earnings\.surprise_zscore|expected_move\.day_position|peer_divergence_v1\.(local|medium|broad|composite))$/,
    'deviations',
  ],
  [/^regime_v5\.vix$|^(index|vix)\.(last|level|sma_\d+)$/, 'index points'],
  [/^options\.chain_/, 'contracts'],
  [
    /(^|\.)(volume|buy_volume|sell_volume|dark_volume_1d|lit_volume_1d|net_buy_volume|unclassified|by_quote|by_tick|total_volume|block_volume|locked_volume)$/,
    'shares',
  ],
  [
    /^(cvd|adv30_shares|fundamental\.(shares_outstanding|float_shares)|ownership\.insider_(acquired|disposed))$/,
    'shares',
  ],
  [/^employees$/, 'people'],
  [
    /^analyst\.(.*count|num_analysts_eps)$|^(block_trade_count|news\.count_.*|ownership\.insider_.*|price\.(bad_prints|order_flow\.trades)|compression\.vcp_contraction_count|level_ladder\.nearest_\w+\.holds|peer_divergence_v1\.peers_.*)$/,
    'count',
  ],
  [/^analyst\.score$/, 'of 5'],
  [
    /^(pulse_|bullish_|bearish_|net_|confluence_score|entry_v2\.|pulse_v5\.|confluence_v5\.(bull|bear|net)$|confluence_components\.(bullish|bearish)_score)/,
    'points',
  ],
  [
    /^(fundamental_quality_score|fundamental_health_score|momentum_health_v5\.score|options\.options_confluence_score|technical\.(rsi_14|adx_14))$/,
    'points',
  ],
  [/_(bull|bear)$/, 'points'],
  [
    /^(technical\.(macd|macd_signal|atr_14|atr_1m_14|daily_atr|moving_averages|bollinger)|levels\.|price\.(pre_market|regular|after_hours|previous_close|official_close|day_price|change$|extended\.(price|change$)|gap$)|range_3d\.|level_ladder\.(last_price|atr|nearest_(support|resistance)\.(price|distance)))/,
    'USD',
  ],
  [/^volume_profile\..*\.(poc|vah|val|row_size|base_price)$/, 'USD'],
  [/^(last_price|dollar_volume|dollar_volume_today|adv20_usd|adv30_usd|gex_gamma_flip)$/, 'USD'],
];

/** @returns `ratio` for a plain ratio, `score` for a scale that the description gives */
export function unitOf(path: string, description: string): string {
  const rule = RULES.find(([pattern]) => pattern.test(path));
  if (rule !== undefined) return rule[1];
  return /\b(?:USD|points)\b/.exec(description)?.[0] ?? 'ratio';
}
