import { level, measure, type Measure, open, subject } from './lexicon-measure.ts';

/** What a price can be told of; most texts do not part the last price from the close. */
const LAST = ['last_price', 'price.regular.close', 'level_ladder.last_price'];

/** Where the stock trades, and how far it has moved. */
export const PRICES: readonly Measure[] = [
  measure(
    'price',
    LAST,
    `
    last price | share price | stock price | last at | last traded at | spot | spot price |
    current price
  `,
  ),
  measure(
    'price',
    LAST,
    `
    trading at | trades at | traded at | trade at | trading around | trades around | trading near |
    trades near | changes hands at | changing hands at | is priced at | priced at | quoted at
  `,
  ),
  measure(
    'closing price',
    ['price.regular.close', 'last_price', 'price.after_hours.close'],
    `
    closed at | closes at | settled at | finished at | ended at | ended the day at |
    closed the day at | closed the session at | last close | regular close | price regular close
  `,
  ),
  subject('price', LAST, 'the stock | the shares | stock | the name'),
  open('pullback', ['price.change_pct', 'intraday_return_pct'], 'bounce | rebound'),
  level(
    'previous close',
    ['price.previous_close', 'levels.pdc'],
    `
    prior close | yesterday 's close | yesterdays close | prior session close | prior day close |
    previous session close | pdc
  `,
  ),
  level('opening price', ['price.regular.open'], " opened at | today 's open | day 's open"),
  level(
    'day high',
    ['price.regular.high'],
    `
    day 's high | today 's high | session high | intraday high | high of the day | hod |
    price regular high
  `,
  ),
  level(
    'day low',
    ['price.regular.low'],
    `
    day 's low | today 's low | session low | intraday low | low of the day | lod |
    price regular low
  `,
  ),
  open(
    'day range',
    ['price.regular.low', 'price.regular.high'],
    "day 's range | session range | intraday range | traded between",
  ),
  measure('pre-market price', ['price.pre_market.close'], 'premarket price | pre market | premarket'),
  level('pre-market high', ['price.pre_market.high'], 'premarket high'),
  level('pre-market low', ['price.pre_market.low'], 'premarket low'),
  measure('after-hours price', ['price.after_hours.close'], 'after hours | post market'),
  {
    ...measure(
      'change',
      ['price.change_pct', 'intraday_return_pct', 'price.change'],
      `
    daily change | day change | day 's change | change on the day | intraday return |
    return on the day | today 's return
  `,
    ),
    formulas: [
      { kind: 'difference', of: ['last_price', 'price.previous_close'] },
      { kind: 'change', of: ['last_price', 'price.previous_close'] },
      { kind: 'change', of: ['price.regular.close', 'price.previous_close'] },
    ],
  },
  {
    ...measure(
      'gap',
      ['price.gap_pct', 'price.gap'],
      'opening gap | gapped up | gapped down | gap up | gap down | gap of',
    ),
    formulas: [{ kind: 'change', of: ['price.regular.open', 'price.previous_close'] }],
  },
];
