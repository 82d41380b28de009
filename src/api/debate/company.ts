import { above, atLeast, atMost, be, below, type Rule } from './rule.ts';

const OF = 'stock.fundamental';
const EARNINGS = 'stock.earnings';
const ANALYST = 'stock.analyst';
const INSIDERS = 'stock.ownership';

/** What the company earns, owes and is paid for. */
export const FUNDAMENTALS: readonly Rule[] = [
  {
    id: 'fundamentals.growing',
    side: 'bull',
    weight: 4,
    when: [atLeast(`${OF}.revenue_growth_yoy`, 10), atLeast(`${OF}.earnings_growth_yoy`, 10)],
    says: `Revenue grew by {${OF}.revenue_growth_yoy} percent and earnings by {${OF}.earnings_growth_yoy} percent in a year.`,
  },
  {
    id: 'fundamentals.cheap_for_growth',
    side: 'bull',
    weight: 3,
    when: [above(`${OF}.peg_ratio`, 0), atMost(`${OF}.peg_ratio`, 1)],
    says: `The forward price to earnings of {${OF}.forward_pe} is {${OF}.peg_ratio} times the growth of earnings in percent: little for the growth.`,
  },
  {
    id: 'fundamentals.cheap',
    side: 'bull',
    weight: 3,
    when: [above(`${OF}.pe_ratio`, 0), atMost(`${OF}.pe_ratio`, 14)],
    says: `The stock costs {${OF}.pe_ratio} times trailing earnings.`,
  },
  {
    id: 'fundamentals.profitable',
    side: 'bull',
    weight: 3,
    when: [atLeast(`${OF}.roe`, 15), atLeast(`${OF}.net_margin`, 12)],
    says: `The company keeps {${OF}.net_margin} percent of its revenue and earns {${OF}.roe} percent on equity.`,
  },
  {
    id: 'fundamentals.little_debt',
    side: 'bull',
    weight: 2,
    when: [atMost(`${OF}.net_leverage`, 0.5), atMost(`${OF}.debt_to_equity`, 0.5)],
    says: `Debt is no burden: net of cash it is {${OF}.net_leverage} times earnings before interest, taxes and depreciation.`,
  },
  {
    id: 'fundamentals.sound',
    side: 'bull',
    weight: 2,
    when: [atLeast('stock.fundamental_health_score', 80)],
    says: 'The rating of the books is {stock.fundamental_health_score} points.',
  },
  {
    id: 'fundamentals.shrinking',
    side: 'bear',
    weight: 4,
    when: [below(`${OF}.revenue_growth_yoy`, 0)],
    says: `Revenue changed by {${OF}.revenue_growth_yoy} percent in a year.`,
  },
  {
    id: 'fundamentals.earnings_fall',
    side: 'bear',
    weight: 4,
    when: [atMost(`${OF}.earnings_growth_yoy`, -5)],
    says: `Earnings changed by {${OF}.earnings_growth_yoy} percent in a year.`,
  },
  {
    id: 'fundamentals.dear',
    side: 'bear',
    weight: 3,
    when: [atLeast(`${OF}.pe_ratio`, 35)],
    says: `At {${OF}.pe_ratio} times trailing earnings much has to go right.`,
  },
  {
    id: 'fundamentals.dear_for_growth',
    side: 'bear',
    weight: 3,
    when: [atLeast(`${OF}.peg_ratio`, 2.5)],
    says: `The forward price to earnings of {${OF}.forward_pe} is {${OF}.peg_ratio} times the growth of earnings in percent: much for the growth.`,
  },
  {
    id: 'fundamentals.dear_for_sales',
    side: 'bear',
    weight: 2,
    when: [atLeast(`${OF}.price_to_sales`, 15)],
    says: `Buyers pay {${OF}.price_to_sales} times the revenue of a year.`,
  },
  {
    id: 'fundamentals.losing',
    side: 'bear',
    weight: 4,
    when: [below(`${OF}.net_margin`, 0)],
    says: `The company loses money: its net margin is {${OF}.net_margin} percent.`,
  },
  {
    id: 'fundamentals.indebted',
    side: 'bear',
    weight: 3,
    when: [atLeast(`${OF}.net_leverage`, 3.5)],
    says: `Debt net of cash is {${OF}.net_leverage} times earnings before interest, taxes and depreciation.`,
  },
  {
    id: 'fundamentals.unsound',
    side: 'bear',
    weight: 3,
    when: [below('stock.fundamental_health_score', 45)],
    says: 'The rating of the books is only {stock.fundamental_health_score} points.',
  },
  {
    id: 'fundamentals.moves_with_market',
    side: 'bear',
    weight: 2,
    when: [atLeast(`${OF}.beta`, 1.6)],
    says: `A beta of {${OF}.beta} carries every fall of the market into the stock, enlarged.`,
  },
];

/** What was reported, and what is expected. */
export const EARNINGS_RULES: readonly Rule[] = [
  {
    id: 'earnings.beats',
    side: 'bull',
    weight: 3,
    when: [atLeast(`${EARNINGS}.consecutive_beats`, 4), above(`${EARNINGS}.surprise_pct`, 0)],
    says: `Estimates were beaten {${EARNINGS}.consecutive_beats} quarters in a row, last by {${EARNINGS}.surprise_pct} percent.`,
  },
  {
    id: 'earnings.blowout',
    side: 'bull',
    weight: 3,
    when: [be(`${EARNINGS}.surprise_category`, 'BLOWOUT_BEAT'), below(`${EARNINGS}.consecutive_beats`, 4)],
    says: `The last report beat its estimate by {${EARNINGS}.surprise_pct} percent.`,
  },
  {
    id: 'earnings.misses',
    side: 'bear',
    weight: 3,
    when: [atLeast(`${EARNINGS}.consecutive_misses`, 1), below(`${EARNINGS}.surprise_pct`, 0)],
    says: `The last report missed its estimate, the surprise being {${EARNINGS}.surprise_pct} percent.`,
  },
  {
    id: 'earnings.unsteady',
    side: 'bear',
    weight: 2,
    when: [atMost(`${EARNINGS}.beat_rate_8q`, 0.5)],
    says: `Of the last eight quarters a share of only {${EARNINGS}.beat_rate_8q} beat the estimate.`,
  },
  {
    id: 'earnings.ahead',
    side: 'bear',
    weight: 3,
    when: [atLeast(`${EARNINGS}.days_until`, 0), atMost(`${EARNINGS}.days_until`, 7)],
    says: `Earnings are due in {${EARNINGS}.days_until} days, and no stop limits a gap overnight.`,
  },
];

/** What those who follow the company and those who run it do. */
export const OPINIONS: readonly Rule[] = [
  {
    id: 'analysts.upside',
    side: 'bull',
    weight: 3,
    when: [atLeast(`${ANALYST}.target_upside`, 10)],
    says: `The mean target of analysts, {${ANALYST}.target_mean}, is {${ANALYST}.target_upside} percent above the price.`,
  },
  {
    id: 'analysts.recommend',
    side: 'bull',
    weight: 2,
    when: [atLeast(`${ANALYST}.score`, 3.8)],
    says: `The mean recommendation of {${ANALYST}.count} analysts is {${ANALYST}.score} on a scale that ends at five, strong buy.`,
  },
  {
    id: 'analysts.upgraded',
    side: 'bull',
    weight: 3,
    when: [be(`${ANALYST}.latest_grade_action`, 'upgrade'), atMost(`${ANALYST}.latest_grade_age`, 30)],
    says: `An analyst upgraded the stock on {${ANALYST}.latest_grade_date}.`,
  },
  {
    id: 'insiders.buy',
    side: 'bull',
    weight: 4,
    when: [be(`${INSIDERS}.insider_sentiment`, 'buying'), atLeast(`${INSIDERS}.insider_purchases`, 1)],
    says: `Insiders made {${INSIDERS}.insider_purchases} purchases in the open market against {${INSIDERS}.insider_sales} sales.`,
  },
  {
    id: 'analysts.little_upside',
    side: 'bear',
    weight: 3,
    when: [atMost(`${ANALYST}.target_upside`, 2)],
    says: `The mean target of analysts, {${ANALYST}.target_mean}, leaves {${ANALYST}.target_upside} percent.`,
  },
  {
    id: 'analysts.doubt',
    side: 'bear',
    weight: 2,
    when: [atMost(`${ANALYST}.score`, 3)],
    says: `The mean recommendation of {${ANALYST}.count} analysts is only {${ANALYST}.score} on a scale that ends at five.`,
  },
  {
    id: 'analysts.downgraded',
    side: 'bear',
    weight: 3,
    when: [be(`${ANALYST}.latest_grade_action`, 'downgrade'), atMost(`${ANALYST}.latest_grade_age`, 30)],
    says: `An analyst downgraded the stock on {${ANALYST}.latest_grade_date}.`,
  },
  {
    // Insiders sell for many reasons and buy for one.
    id: 'insiders.sell',
    side: 'bear',
    weight: 2,
    when: [be(`${INSIDERS}.insider_sentiment`, 'selling'), atLeast(`${INSIDERS}.insider_sales`, 3)],
    says: `Insiders made {${INSIDERS}.insider_sales} sales in the open market against {${INSIDERS}.insider_purchases} purchases.`,
  },
];

/** What is written, and which themes carry the company. */
export const WORDS: readonly Rule[] = [
  {
    id: 'news.good',
    side: 'bull',
    weight: 3,
    when: [be('stock.news.sentiment', 'positive'), atLeast('stock.news.sentiment_score', 0.15)],
    says: 'The news of the last day, {stock.news.count_24h} items, has a tone of {stock.news.sentiment_score} on a scale of minus one to one.',
  },
  {
    id: 'news.good_burst',
    side: 'bull',
    weight: 2,
    when: [be('stock.news.sentiment', 'positive'), atLeast('stock.news.burst', 2.5)],
    says: 'Good news comes in a burst: {stock.news.burst} times the usual number of items.',
  },
  {
    id: 'themes.carried',
    side: 'bull',
    weight: 2,
    when: [atLeast('theme.positive.magnitude', 0.4)],
    says: 'The company gains from a structural theme, with an exposure of {theme.positive.magnitude} of one.',
  },
  {
    id: 'news.bad',
    side: 'bear',
    weight: 3,
    when: [be('stock.news.sentiment', 'negative'), atMost('stock.news.sentiment_score', -0.15)],
    says: 'The news of the last day, {stock.news.count_24h} items, has a tone of {stock.news.sentiment_score} on a scale of minus one to one.',
  },
  {
    id: 'news.bad_burst',
    side: 'bear',
    weight: 3,
    when: [be('stock.news.sentiment', 'negative'), atLeast('stock.news.burst', 2.5)],
    says: 'Bad news comes in a burst: {stock.news.burst} times the usual number of items.',
  },
  {
    id: 'themes.threatened',
    side: 'bear',
    weight: 2,
    when: [atLeast('theme.negative.magnitude', 0.4)],
    says: 'The company loses from a structural theme, with an exposure of {theme.negative.magnitude} of one.',
  },
];
