import { rulesOf } from './rule.ts';

const OF = 'stock.fundamental';
const HEALTH = 'stock.fundamental_health_score';
const EARNINGS = 'stock.earnings';
const SURPRISE = `${EARNINGS}.surprise_category`;
const ANALYST = 'stock.analyst';
const INSIDERS = 'stock.ownership.insider';

/** The company, and what is said of it. */
export const COMPANY = rulesOf(`
// What the company earns, owes and costs.
fundamentals.growing (bull 4): ${OF}.revenue_growth_yoy >= 10, ${OF}.earnings_growth_yoy >= 10
  Revenue growth is {${OF}.revenue_growth_yoy}% and earnings growth {${OF}.earnings_growth_yoy}% year over year.
fundamentals.[cheap|dear]_for_growth (3): ${OF}.peg_ratio > 0, ${OF}.peg_ratio <= 1 | ${OF}.peg_ratio >= 2.5
  Forward P/E {${OF}.forward_pe}, PEG {${OF}.peg_ratio}: [cheap|expensive] for its growth.
fundamentals.[cheap|dear] (3): ${OF}.pe_ratio > 0, ${OF}.pe_ratio <= 14 | ${OF}.pe_ratio >= 35
  A trailing P/E of {${OF}.pe_ratio} [is low|leaves little room for error].
fundamentals.profitable (bull 3): ${OF}.roe >= 15, ${OF}.net_margin >= 12
  Net margin is {${OF}.net_margin}% and ROE {${OF}.roe}%.
fundamentals.[little_debt|indebted] (2|3): ${OF}.net_leverage <= 0.5, ${OF}.debt_to_equity <= 0.5 | ${OF}.net_leverage >= 3.5
  Net debt is {${OF}.net_leverage} times EBITDA: [debt is no burden|leverage is high].
fundamentals.[sound|unsound] (2|3): ${HEALTH} >= 80 | ${HEALTH} < 45
  Fundamental health score is [|only ]{${HEALTH}}.
fundamentals.shrinking (bear 4): ${OF}.revenue_growth_yoy < 0
  Revenue growth is {${OF}.revenue_growth_yoy}% year over year.
fundamentals.earnings_fall (bear 4): ${OF}.earnings_growth_yoy <= -5
  Earnings growth is {${OF}.earnings_growth_yoy}% year over year.
fundamentals.dear_for_sales (bear 2): ${OF}.price_to_sales >= 15
  A P/S of {${OF}.price_to_sales} is high.
fundamentals.losing (bear 4): ${OF}.net_margin < 0
  Net margin is {${OF}.net_margin}%: the company loses money.
fundamentals.moves_with_market (bear 2): ${OF}.beta >= 1.6
  A beta of {${OF}.beta} amplifies every decline of the market.
// What was reported, and what is expected.
earnings.beats (bull 3): ${EARNINGS}.consecutive_beats >= 4, ${SURPRISE} is SOLID_BEAT or ${SURPRISE} is BLOWOUT_BEAT
  Earnings beat estimates {${EARNINGS}.consecutive_beats} quarters in a row; the last surprise was {${EARNINGS}.surprise_pct}%.
earnings.blowout (bull 3): ${SURPRISE} is BLOWOUT_BEAT, ${EARNINGS}.consecutive_beats < 4
  The last earnings surprise was {${EARNINGS}.surprise_pct}%: a blowout.
earnings.misses (bear 3): ${SURPRISE} is MISS or ${SURPRISE} is BLOWOUT_MISS
  The last earnings surprise was {${EARNINGS}.surprise_pct}%: a miss.
earnings.unsteady (bear 2): ${EARNINGS}.beat_rate_8q < 0.5
  The eight-quarter beat rate is only {${EARNINGS}.beat_rate_8q}.
earnings.ahead (bear 3): ${EARNINGS}.days_until >= 0, ${EARNINGS}.days_until <= 7
  Days to the earnings report: {${EARNINGS}.days_until}. No stop limits an overnight gap.
// What analysts and insiders do.
analysts.[upside|little_upside] (3): ${ANALYST}.target_upside >= 10 | ${ANALYST}.target_upside <= 2
  The mean analyst target of {${ANALYST}.target_mean} is {${ANALYST}.target_upside}% from the price.
analysts.[recommend|doubt] (2): ${ANALYST}.score >= 3.8 | ${ANALYST}.score <= 3
  The mean recommendation of {${ANALYST}.count} analysts is [|only ]{${ANALYST}.score} out of five.
analysts.[upgraded|downgraded] (3): ${ANALYST}.latest_grade_action is [upgrade|downgrade], ${ANALYST}.latest_grade_age <= 30
  An analyst [upgraded|downgraded] the stock on {${ANALYST}.latest_grade_date}.
// Insiders sell for many reasons and buy for one.
insiders.[buy|sell] (4|2): ${INSIDERS}_sentiment is buying, ${INSIDERS}_purchases >= 1 | ${INSIDERS}_sentiment is selling, ${INSIDERS}_sales >= 3
  Insiders [buy|sell] in the open market: [purchases|sales] {${INSIDERS}_[purchases|sales]}, [sales|purchases] {${INSIDERS}_[sales|purchases]}.
// News and themes.
news.[good|bad] (3): stock.news.sentiment is [positive|negative], stock.news.sentiment_score >= 0.15
  News sentiment is {stock.news.sentiment_score}; news items of the last day: {stock.news.count_24h}.
news.[good|bad]_burst (2|3): stock.news.sentiment is [positive|negative], stock.news.burst >= 2.5
  [Good|Bad] news comes in a burst: {stock.news.burst} times the usual number of items.
themes.[carried|threatened] (2): theme.[positive|negative].magnitude >= 0.4
  Exposure to [a theme that helps|a theme that hurts] the company is {theme.[positive|negative].magnitude}.
`);
