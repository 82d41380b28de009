import { above, atLeast, atMost, be, bear, below, both, bull, type Rule, same } from './rule.ts';

const OF = 'stock.fundamental';
const HEALTH = 'stock.fundamental_health_score';
const EARNINGS = 'stock.earnings';
const ANALYST = 'stock.analyst';
const INSIDERS = 'stock.ownership.insider';

/** What the company earns, owes and costs. */
export const FUNDAMENTALS: readonly Rule[] = [
  ...bull(
    'fundamentals.growing',
    4,
    [atLeast(`${OF}.revenue_growth_yoy`, 10), atLeast(`${OF}.earnings_growth_yoy`, 10)],
    `Revenue growth is {${OF}.revenue_growth_yoy}% and earnings growth {${OF}.earnings_growth_yoy}% year over year.`,
  ),
  ...both(
    'fundamentals.[cheap|dear]_for_growth',
    3,
    {
      bull: [above(`${OF}.peg_ratio`, 0), atMost(`${OF}.peg_ratio`, 1)],
      bear: [atLeast(`${OF}.peg_ratio`, 2.5)],
    },
    `Forward P/E {${OF}.forward_pe}, PEG {${OF}.peg_ratio}: [cheap|expensive] for its growth.`,
  ),
  ...both(
    'fundamentals.[cheap|dear]',
    3,
    {
      bull: [above(`${OF}.pe_ratio`, 0), atMost(`${OF}.pe_ratio`, 14)],
      bear: [atLeast(`${OF}.pe_ratio`, 35)],
    },
    `A trailing P/E of {${OF}.pe_ratio} [is low|leaves little room for error].`,
  ),
  ...bull(
    'fundamentals.profitable',
    3,
    [atLeast(`${OF}.roe`, 15), atLeast(`${OF}.net_margin`, 12)],
    `Net margin is {${OF}.net_margin}% and ROE {${OF}.roe}%.`,
  ),
  ...both(
    'fundamentals.[little_debt|indebted]',
    [2, 3],
    {
      bull: [atMost(`${OF}.net_leverage`, 0.5), atMost(`${OF}.debt_to_equity`, 0.5)],
      bear: [atLeast(`${OF}.net_leverage`, 3.5)],
    },
    `Net debt is {${OF}.net_leverage} times EBITDA: [debt is no burden|leverage is high].`,
  ),
  ...both(
    'fundamentals.[sound|unsound]',
    [2, 3],
    { bull: [atLeast(HEALTH, 80)], bear: [below(HEALTH, 45)] },
    `Fundamental health score is [|only ]{${HEALTH}}.`,
  ),
  ...bear(
    'fundamentals.shrinking',
    4,
    [below(`${OF}.revenue_growth_yoy`, 0)],
    `Revenue growth is {${OF}.revenue_growth_yoy}% year over year.`,
  ),
  ...bear(
    'fundamentals.earnings_fall',
    4,
    [atMost(`${OF}.earnings_growth_yoy`, -5)],
    `Earnings growth is {${OF}.earnings_growth_yoy}% year over year.`,
  ),
  ...bear(
    'fundamentals.dear_for_sales',
    2,
    [atLeast(`${OF}.price_to_sales`, 15)],
    `A P/S of {${OF}.price_to_sales} is high.`,
  ),
  ...bear(
    'fundamentals.losing',
    4,
    [below(`${OF}.net_margin`, 0)],
    `Net margin is {${OF}.net_margin}%: the company loses money.`,
  ),
  ...bear(
    'fundamentals.moves_with_market',
    2,
    [atLeast(`${OF}.beta`, 1.6)],
    `A beta of {${OF}.beta} amplifies every decline of the market.`,
  ),
];

/** What was reported, and what is expected. */
export const EARNINGS_RULES: readonly Rule[] = [
  ...bull(
    'earnings.beats',
    3,
    [atLeast(`${EARNINGS}.consecutive_beats`, 4), above(`${EARNINGS}.surprise_pct`, 0)],
    `Earnings beat estimates {${EARNINGS}.consecutive_beats} quarters in a row; the last surprise was {${EARNINGS}.surprise_pct}%.`,
  ),
  ...bull(
    'earnings.blowout',
    3,
    [be(`${EARNINGS}.surprise_category`, 'BLOWOUT_BEAT'), below(`${EARNINGS}.consecutive_beats`, 4)],
    `The last earnings surprise was {${EARNINGS}.surprise_pct}%: a blowout.`,
  ),
  ...bear(
    'earnings.misses',
    3,
    [atLeast(`${EARNINGS}.consecutive_misses`, 1), below(`${EARNINGS}.surprise_pct`, 0)],
    `The last earnings surprise was {${EARNINGS}.surprise_pct}%: a miss.`,
  ),
  ...bear(
    'earnings.unsteady',
    2,
    [atMost(`${EARNINGS}.beat_rate_8q`, 0.5)],
    `The eight-quarter beat rate is only {${EARNINGS}.beat_rate_8q}.`,
  ),
  ...bear(
    'earnings.ahead',
    3,
    [atLeast(`${EARNINGS}.days_until`, 0), atMost(`${EARNINGS}.days_until`, 7)],
    `Earnings are due in {${EARNINGS}.days_until} days, and no stop limits an overnight gap.`,
  ),
];

/** What analysts and insiders do. */
export const OPINIONS: readonly Rule[] = [
  ...both(
    'analysts.[upside|little_upside]',
    3,
    [atLeast(`${ANALYST}.target_upside`, [10, 2])],
    `The mean analyst target is {${ANALYST}.target_mean}, an upside of [|only ]{${ANALYST}.target_upside}%.`,
  ),
  ...both(
    'analysts.[recommend|doubt]',
    2,
    [atLeast(`${ANALYST}.score`, [3.8, 3])],
    `The mean recommendation of {${ANALYST}.count} analysts is [|only ]{${ANALYST}.score} out of five.`,
  ),
  ...both(
    'analysts.[upgraded|downgraded]',
    3,
    [
      be(`${ANALYST}.latest_grade_action`, '[upgrade|downgrade]'),
      same(atMost(`${ANALYST}.latest_grade_age`, 30)),
    ],
    `An analyst [upgraded|downgraded] the stock on {${ANALYST}.latest_grade_date}.`,
  ),
  // Insiders sell for many reasons and buy for one.
  ...both(
    'insiders.[buy|sell]',
    [4, 2],
    [be(`${INSIDERS}_sentiment`, '[buying|selling]'), same(atLeast(`${INSIDERS}_[purchases|sales]`, [1, 3]))],
    `Insiders made {${INSIDERS}_[purchases|sales]} [purchases|sales] against {${INSIDERS}_[sales|purchases]} [sales|purchases] in the open market.`,
  ),
];

/** News and themes. */
export const WORDS: readonly Rule[] = [
  ...both(
    'news.[good|bad]',
    3,
    [be('stock.news.sentiment', '[positive|negative]'), atLeast('stock.news.sentiment_score', 0.15)],
    'News sentiment is {stock.news.sentiment_score}, from {stock.news.count_24h} news items of the last day.',
  ),
  ...both(
    'news.[good|bad]_burst',
    [2, 3],
    [be('stock.news.sentiment', '[positive|negative]'), same(atLeast('stock.news.burst', 2.5))],
    '[Good|Bad] news comes in a burst: {stock.news.burst} times the usual number of items.',
  ),
  ...both(
    'themes.[carried|threatened]',
    2,
    [same(atLeast('theme.[positive|negative].magnitude', 0.4))],
    'Theme exposure is {theme.[positive|negative].magnitude}: the company [gains from|loses to] a structural theme.',
  ),
];
