import type { Ground } from '../../src/texts/verify/index.ts';

/** Six made-up stocks: rising and falling, above and below their averages, after a beat and after a miss. */
export interface SpokenStock {
  readonly symbol: string;
  readonly previousClose: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly changePct: number;
  readonly gapPct: number;
  readonly rsi: number;
  readonly adx: number;
  readonly macd: number;
  readonly macdSignal: number;
  readonly sma50: number;
  readonly sma200: number;
  readonly vwap: number;
  readonly support: number;
  readonly resistance: number;
  readonly volume: number;
  readonly relativeVolume: number;
  readonly surprisePct: number;
  readonly beats: number;
  readonly misses: number;
  readonly daysToEarnings: number;
  readonly revenueGrowth: number;
  readonly grossMargin: number;
  readonly pe: number;
  readonly netScore: number;
  readonly target: number;
  readonly upside: number;
  readonly ivRank: number;
  readonly putCall: number;
}

const COLUMNS =
  `symbol previousClose open high low close changePct gapPct rsi adx macd macdSignal sma50 sma200 vwap
  support resistance volume relativeVolume surprisePct beats misses daysToEarnings revenueGrowth grossMargin pe netScore
  target upside ivRank putCall`.split(/\s+/);

const ROWS = `
  AAPX 310.03 312.75 319.28 309.60 316.83 2.19 0.88 63.4 27.1 1.72 1.15 301.12 281.10 315.02 309.60 321.4 52340000 1.18 5.6 4 0 7 6.1 46.9 34.2 28.4 340.5 7.47 22.4 0.71
  BDNT 87.40 86.63 86.9 81.15 82.35 -5.78 -0.88 31.8 33.5 -1.72 -0.94 91.3 95.42 83.6 80.1 85.75 8412000 2.41 -36.2 0 2 21 -8.4 22.6 14.8 -41.7 78.5 -4.68 78.1 1.42
  CRVO 45.18 45.92 47.03 45.61 46.77 3.52 1.64 58.9 18.4 -0.35 -0.52 44.02 48.87 46.31 44.9 48.1 3127000 1.07 12.4 3 0 40 15.2 61.3 41.6 12.6 52.25 11.72 35.5 0.58
  DLTQ 151.62 151.1 152.48 147.93 148.35 -2.16 -0.34 44.2 14.9 0.81 1.37 149.9 139.26 149.84 146.2 152.9 14280000 0.92 -4.1 0 1 12 2.3 38.4 22.9 -7.3 166.1 11.97 51.2 0.96
  EMBR 12.84 12.61 13.55 12.52 13.41 4.44 -1.79 55.3 21.7 0.12 0.05 12.93 14.02 13.08 12.4 13.9 21940000 1.93 18.7 2 0 3 31.6 54.2 65.3 19.8 15.75 17.45 62.9 0.66
  FRNT 528.9 534.2 536.15 521.05 523.44 -1.03 1 48.7 16.2 -2.94 -3.61 519.75 488.3 527.66 515.5 533.2 1870000 0.84 7.9 6 0 55 9.7 71.8 48.1 4.9 575.2 9.89 18.3 0.81
`;

export const STOCKS: readonly SpokenStock[] = ROWS.trim()
  .split('\n')
  .map((row) => {
    const values = row.trim().split(/\s+/);
    return Object.fromEntries(
      COLUMNS.map((name, at) => [name, at === 0 ? values[at] : Number(values[at])]),
    ) as unknown as SpokenStock;
  });

const TRADE_DATE = '2026-08-28';

/** What is known of a stock. */
export function groundOf(stock: SpokenStock): Ground {
  const known = (id: string, value: number, unit: string | null = null, label = id) => ({
    id: `stock.${id}`,
    label,
    value,
    unit,
    instant: `${TRADE_DATE}T20:00:00Z`,
    source: 'made up',
  });
  const { close, previousClose } = stock;
  return {
    symbol: stock.symbol,
    company: null,
    levels: [],
    tradeDate: TRADE_DATE,
    others: new Set(['MSFX', 'GOOX']),
    facts: [
      known('last_price', close, 'USD', 'last price'),
      known('price.regular.close', close, 'USD', 'regular close'),
      known('price.regular.open', stock.open, 'USD', 'regular open'),
      known('price.regular.high', stock.high, 'USD', 'regular high'),
      known('price.regular.low', stock.low, 'USD', 'regular low'),
      known('price.previous_close', previousClose, 'USD', 'previous close'),
      known('price.change', Number((close - previousClose).toFixed(2)), 'USD', 'change'),
      known('price.change_pct', stock.changePct, 'percent', 'change percent'),
      known('price.gap_pct', stock.gapPct, 'percent', 'gap percent'),
      known('volume', stock.volume, 'shares', 'volume'),
      known('rel_volume', stock.relativeVolume, null, 'relative volume'),
      known('technical.rsi_14', stock.rsi, 'points', 'relative strength index'),
      known('technical.adx_14', stock.adx, 'points', 'average directional index'),
      known('technical.macd', stock.macd, 'USD', 'moving average convergence divergence'),
      known('technical.macd_signal', stock.macdSignal, 'USD', 'signal line'),
      known('technical.moving_averages.sma_50', stock.sma50, 'USD', 'fifty-session average'),
      known('technical.moving_averages.sma_200', stock.sma200, 'USD', 'two-hundred-session average'),
      known('levels.vwap', stock.vwap, 'USD', 'volume-weighted average price'),
      known('level_ladder.nearest_support.price', stock.support, 'USD', 'nearest support'),
      known('level_ladder.nearest_resistance.price', stock.resistance, 'USD', 'nearest resistance'),
      known('earnings.surprise_pct', stock.surprisePct, 'percent', 'earnings surprise percent'),
      known('earnings.consecutive_beats', stock.beats, 'quarters', 'consecutive beats'),
      known('earnings.consecutive_misses', stock.misses, 'quarters', 'consecutive misses'),
      known('earnings.days_until', stock.daysToEarnings, 'days', 'days to earnings'),
      known('fundamental.revenue_growth_yoy', stock.revenueGrowth, 'percent', 'revenue growth'),
      known('fundamental.gross_margin', stock.grossMargin, 'percent', 'gross margin'),
      known('fundamental.pe_ratio', stock.pe, null, 'price to earnings ratio'),
      known('net_confluence', stock.netScore, 'points', 'net score'),
      known('analyst.target_mean', stock.target, 'USD', 'mean target'),
      known('analyst.target_upside', stock.upside, 'percent', 'target upside'),
      known('options.iv_rank', stock.ivRank, 'percent', 'rank of implied volatility'),
      known('options.put_call_ratio', stock.putCall, null, 'put call ratio'),
    ],
  };
}
