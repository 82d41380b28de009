import { level, measure, type Measure, open } from './lexicon-measure.ts';

/** Results, analysts and insiders. */
export const EXPECTATIONS: readonly Measure[] = [
  measure(
    'days to earnings',
    ['earnings.days_until'],
    `
    earnings | days to earnings | days until earnings | days to next earnings | earnings are |
    earnings report | reports earnings | reports | earnings date | next earnings |
    days before earnings | days away from earnings | until earnings | to earnings | report
  `,
  ),
  measure(
    'earnings surprise',
    ['earnings.surprise_pct', 'earnings.surprise_zscore'],
    'surprise | eps surprise | last surprise | earnings surprise percent | beat its estimate by | beat estimates by | beat the estimate by | missed its estimate by | missed estimates by | beat by | missed by | last by',
  ),
  measure(
    'consecutive beats',
    ['earnings.consecutive_beats'],
    `
    consecutive quarters | straight beats | straight quarters | beats | beat | beat estimates |
    beat streak | earnings consecutive beats | quarters in a row | consecutive earnings beats |
    straight earnings beats
  `,
  ),
  measure(
    'consecutive misses',
    ['@stock.earnings.consecutive_misses'],
    'misses | missed | miss | straight misses',
  ),
  open('pattern', ['@pattern.*.*'], 'candlestick | speaks for buyers | speaks for sellers'),
  measure('beat rate', ['earnings.beat_rate_8q'], 'earnings beat rate | share of beats'),
  open(
    'target',
    [
      'analyst.target_mean',
      'analyst.target_high',
      'analyst.target_low',
      '@pattern.*.target',
      '@playbook.*.target',
    ],
    'targets',
  ),
  // Every firm has one of its own.
  open(
    'price target',
    ['analyst.target_mean', 'analyst.target_high', 'analyst.target_low', '@pattern.*.target'],
    'analyst target | price targets | analyst price target | target price | measures to',
  ),
  level(
    'mean target',
    ['analyst.target_mean', 'analyst.target_upside'],
    `
    average target | mean price target | average price target | consensus target |
    consensus price target | analyst target mean | mean analyst target | average analyst target |
    mean analyst price target
  `,
  ),
  level(
    'high target',
    ['analyst.target_high'],
    'highest target | highest price target | street high target | street high | high price target',
  ),
  level(
    'low target',
    ['analyst.target_low'],
    'lowest target | lowest price target | street low target | street low | low price target',
  ),
  {
    ...open(
      'upside',
      ['analyst.target_upside'],
      `
    target upside | implied upside | analyst upside | upside to the mean target | upside to target |
    upside to the target | analyst target upside | downside to target
  `,
    ),
    formulas: [
      { kind: 'change', of: ['analyst.target_mean', 'last_price'] },
      { kind: 'change', of: ['analyst.target_high', 'last_price'] },
      { kind: 'change', of: ['analyst.target_low', 'last_price'] },
    ],
  },
  measure(
    'analyst score',
    ['analyst.score'],
    'recommendation score | mean recommendation | consensus score | consensus rating',
  ),
  {
    ...open(
      'analysts',
      [
        'analyst.count',
        'analyst.num_analysts_eps',
        'analyst.strong_buy_count',
        'analyst.buy_count',
        'analyst.hold_count',
        'analyst.sell_count',
        'analyst.strong_sell_count',
      ],
      'analyst | analyst count',
    ),
    formulas: [
      { kind: 'sum', of: ['analyst.buy_count', 'analyst.strong_buy_count'] },
      { kind: 'sum', of: ['analyst.sell_count', 'analyst.strong_sell_count'] },
    ],
  },
  {
    ...measure(
      'buy ratings',
      ['analyst.buy_count'],
      'buys | buy rating | rate it a buy | rate it buy | at buy',
    ),
    formulas: [{ kind: 'sum', of: ['analyst.buy_count', 'analyst.strong_buy_count'] }],
  },
  measure('strong buy ratings', ['analyst.strong_buy_count'], 'strong buys | strong buy | strong buy rating'),
  measure('hold ratings', ['analyst.hold_count'], 'holds | hold rating'),
  {
    ...measure('sell ratings', ['analyst.sell_count'], 'sells | sell rating'),
    formulas: [{ kind: 'sum', of: ['analyst.sell_count', 'analyst.strong_sell_count'] }],
  },
  measure(
    'EPS estimate',
    ['analyst.est_eps_avg', 'analyst.est_eps_high', 'analyst.est_eps_low', 'analyst.est_fy2_eps_avg'],
    'eps estimates | estimated eps | earnings estimate | consensus eps | mean eps estimate',
  ),
  measure(
    'revenue estimate',
    ['analyst.est_revenue_avg', 'analyst.est_revenue_avg_bn'],
    'estimated revenue | consensus revenue | revenue estimates',
  ),
  measure('insider purchases', ['ownership.insider_purchases'], 'insider buys | insider purchase'),
  measure('insider sales', ['ownership.insider_sales'], 'insider sells'),
  open(
    'insider dealings',
    ['ownership.insider_purchases', 'ownership.insider_sales'],
    'insiders made | purchases | sales',
  ),
];
