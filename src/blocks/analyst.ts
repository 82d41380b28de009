import { newestStated, ofReports, perShareNow, type Reported } from '../analysis/reported-figures.ts';
import { newestBar } from '../analysis/view-bars.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import type {
  AnalystEstimates,
  AnalystGrade,
  GradeAction,
  PriceTarget,
  Recommendations,
} from '../market/facts.ts';
import { nestedBlock } from './block.ts';

const Analyst = wire.record(
  'Analyst',
  'Recommendations, price targets and estimates of sell-side analysts.',
  {
    consensus: wire.nullableString(
      'Word of `score`: Strong Buy from 4.5, Buy from 3.5, Hold from 2.5, Sell from 1.5, else Strong Sell.',
    ),
    latest_grade_firm: wire.nullableString('Firm of the latest rating change.'),
    latest_grade_action: wire.nullableString(
      'Kind of the latest rating change: maintain, upgrade, downgrade, initiate.',
    ),
    latest_grade_to: wire.nullableString('Grade after the latest rating change.'),
    latest_grade_date: wire.nullableDate('Date of the latest rating change, YYYY-MM-DD.'),
    score: wire.nullableNumber('Mean recommendation, 1-5: strongSell=1 to strongBuy=5.', {
      minimum: 1,
      maximum: 5,
    }),
    target_mean: wire.nullableNumber('Mean price target, USD.'),
    target_high: wire.nullableNumber('Highest price target, USD.'),
    target_low: wire.nullableNumber('Lowest price target, USD.'),
    target_upside: wire.nullableNumber('Percent upside from current price to the mean target.'),
    est_eps_avg: wire.nullableNumber('Mean EPS estimate of the current fiscal year, USD.'),
    est_eps_high: wire.nullableNumber('Highest EPS estimate of the current fiscal year, USD.'),
    est_eps_low: wire.nullableNumber('Lowest EPS estimate of the current fiscal year, USD.'),
    est_revenue_avg: wire.nullableNumber('Mean revenue estimate of the current fiscal year, USD.'),
    est_fy2_eps_avg: wire.nullableNumber('Mean EPS estimate of the next fiscal year, USD.'),
    est_fy2_eps_high: wire.nullableNumber('Highest EPS estimate of the next fiscal year, USD.'),
    est_fy2_eps_low: wire.nullableNumber('Lowest EPS estimate of the next fiscal year, USD.'),
    count: wire.nullableInteger('Analysts with a recommendation.'),
    strong_buy_count: wire.nullableInteger('Analysts at strong buy.'),
    buy_count: wire.nullableInteger('Analysts at buy.'),
    hold_count: wire.nullableInteger('Analysts at hold.'),
    sell_count: wire.nullableInteger('Analysts at sell.'),
    strong_sell_count: wire.nullableInteger('Analysts at strong sell.'),
    num_analysts_eps: wire.nullableInteger('Analysts behind the EPS estimate.'),
  },
  [],
);

/** Per-share figures on the trade date's basis. Null when no analyst fact is known. */
export const analyst = nestedBlock({
  name: 'analyst',
  schema: Analyst,
  derive(view) {
    const known = reportedOf(view);
    const price = newestBar(view)?.close ?? null;
    if (known === null || known.target_mean === null || price === null) return known;
    return { ...known, target_upside: finiteOrNull((known.target_mean / price - 1) * 100) };
  },
});

/** All but what the price decides. */
const reportedOf = ofReports((view) => {
  const { recommendations, analyst_grade, price_target, analyst_estimates } = view.facts;
  const facts = [recommendations, analyst_grade, price_target, analyst_estimates];
  if (facts.every((known) => known.length === 0)) return null;
  return {
    ...recommendationFields(recommendations.at(-1) ?? null),
    ...gradeFields(analyst_grade),
    ...targetFields(view),
    ...estimateFields(view),
  };
});

/** The lowest mean score of each word; below the last it is Strong Sell. */
export const CONSENSUS_FROM: readonly (readonly [word: string, score: number])[] = [
  ['Strong Buy', 4.5],
  ['Buy', 3.5],
  ['Hold', 2.5],
  ['Sell', 1.5],
];

function consensusOf(score: number | null): string | null {
  if (score === null) return null;
  return CONSENSUS_FROM.find(([, from]) => score >= from)?.[0] ?? 'Strong Sell';
}

function recommendationFields(opinions: Recommendations | null) {
  const score = opinions === null ? null : meanOpinion(opinions);
  return {
    consensus: consensusOf(score),
    score,
    count: opinions === null ? null : (total(opinions) ?? whole(opinions.analysts)),
    strong_buy_count: whole(opinions?.strongBuy),
    buy_count: whole(opinions?.buy),
    hold_count: whole(opinions?.hold),
    sell_count: whole(opinions?.sell),
    strong_sell_count: whole(opinions?.strongSell),
  };
}

/** From the counts when all five are known, since the answer shows them; else as stated. */
function meanOpinion(opinions: Recommendations): number | null {
  const { strongBuy, buy, hold, sell, strongSell, mean } = opinions;
  const count = total(opinions);
  if (count !== null && count > 0) {
    return (5 * strongBuy! + 4 * buy! + 3 * hold! + 2 * sell! + strongSell!) / count;
  }
  return mean !== null && mean >= 1 && mean <= 5 ? mean : null;
}

/** Analysts in all five counts; null when one is unknown. */
function total({ strongBuy, buy, hold, sell, strongSell }: Recommendations): number | null {
  if (strongBuy === null || buy === null || hold === null || sell === null || strongSell === null)
    return null;
  return whole(strongBuy + buy + hold + sell + strongSell);
}

function whole(count: number | null | undefined): number | null {
  return Number.isInteger(count) ? count! : null;
}

/** A repeated grade is maintained. */
const ACTION_WORDS: Readonly<Record<GradeAction, string>> = {
  maintain: 'maintain',
  reiterate: 'maintain',
  upgrade: 'upgrade',
  downgrade: 'downgrade',
  initiate: 'initiate',
};

function gradeFields(grades: readonly AnalystGrade[]) {
  const latest = grades.reduce<AnalystGrade | null>(
    (newest, grade) => (newest === null || grade.date >= newest.date ? grade : newest),
    null,
  );
  return {
    latest_grade_firm: latest?.firm ?? null,
    latest_grade_action: latest === null ? null : ACTION_WORDS[latest.action],
    latest_grade_to: latest?.to ?? null,
    latest_grade_date: latest?.date ?? null,
  };
}

function targetFields(view: Reported) {
  const target = (figure: (fact: PriceTarget) => number | null): number | null =>
    perShareNow(view, newestStated(view.facts.price_target, figure));
  return {
    target_mean: target((fact) => fact.mean),
    target_high: target((fact) => fact.high),
    target_low: target((fact) => fact.low),
    target_upside: null as number | null,
  };
}

function estimateFields(view: Reported) {
  const ofYear = (fiscalYear: AnalystEstimates['year']) =>
    view.facts.analyst_estimates.filter(({ year }) => year === fiscalYear);
  const current = ofYear('current_year');
  const next = ofYear('next_year');
  const eps = (facts: typeof current, figure: (fact: AnalystEstimates) => number | null): number | null =>
    perShareNow(view, newestStated(facts, figure));
  return {
    est_eps_avg: eps(current, (fact) => fact.epsAverage),
    est_eps_high: eps(current, (fact) => fact.epsHigh),
    est_eps_low: eps(current, (fact) => fact.epsLow),
    est_revenue_avg: newestStated(current, (fact) => fact.revenueAverage)?.value ?? null,
    num_analysts_eps: whole(newestStated(current, (fact) => fact.analysts)?.value),
    est_fy2_eps_avg: eps(next, (fact) => fact.epsAverage),
    est_fy2_eps_high: eps(next, (fact) => fact.epsHigh),
    est_fy2_eps_low: eps(next, (fact) => fact.epsLow),
  };
}
