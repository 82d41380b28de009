import { nullableDate, nullableInteger, nullableNumber, nullableString, record } from '../base/schema.ts';
import { defineBlock } from './block.ts';
import { absent } from './wire.ts';

const Analyst = record(
  'Analyst',
  'Recommendations, price targets and estimates of sell-side analysts.',
  {
    consensus: nullableString('Consensus recommendation: Buy, Hold, Sell, etc.'),
    latest_grade_firm: nullableString('Firm of the latest rating change.'),
    latest_grade_action: nullableString('Kind of the latest rating change: maintain, upgrade, downgrade.'),
    latest_grade_to: nullableString('Grade after the latest rating change.'),
    latest_grade_date: nullableDate('Date of the latest rating change, YYYY-MM-DD.'),
    score: nullableNumber('Mean recommendation, 1-5: strongSell=1 to strongBuy=5.', {
      minimum: 1,
      maximum: 5,
    }),
    target_mean: nullableNumber('Mean price target, USD.'),
    target_high: nullableNumber('Highest price target, USD.'),
    target_low: nullableNumber('Lowest price target, USD.'),
    target_upside: nullableNumber('Percent upside from current price to the mean target.'),
    est_eps_avg: nullableNumber('Mean EPS estimate of the current fiscal year, USD.'),
    est_eps_high: nullableNumber('Highest EPS estimate of the current fiscal year, USD.'),
    est_eps_low: nullableNumber('Lowest EPS estimate of the current fiscal year, USD.'),
    est_revenue_avg: nullableNumber('Mean revenue estimate of the current fiscal year, USD.'),
    est_fy2_eps_avg: nullableNumber('Mean EPS estimate of the next fiscal year, USD.'),
    est_fy2_eps_high: nullableNumber('Highest EPS estimate of the next fiscal year, USD.'),
    est_fy2_eps_low: nullableNumber('Lowest EPS estimate of the next fiscal year, USD.'),
    count: nullableInteger('Analysts with a recommendation.'),
    strong_buy_count: nullableInteger('Analysts at strong buy.'),
    buy_count: nullableInteger('Analysts at buy.'),
    hold_count: nullableInteger('Analysts at hold.'),
    sell_count: nullableInteger('Analysts at sell.'),
    strong_sell_count: nullableInteger('Analysts at strong sell.'),
    num_analysts_eps: nullableInteger('Analysts behind the EPS estimate.'),
  },
  [],
);

/** What analysts say. No feed brings it yet. */
export const analyst = defineBlock({
  name: 'analyst',
  schema: Analyst,
  flat: {},
  reads: [],
  derive: () => absent({}),
});
