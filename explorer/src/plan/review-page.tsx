import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Review, reviewQuery } from '../shared/api/queries.ts';
import { clockOf, dayOf, minuteOf, noonOf, wordsOf } from '../shared/instant.ts';
import { formatNumber } from '../shared/ui/number.tsx';
import { ShownContext } from '../shared/ui/shown.ts';
import { Answered, Skeleton } from '../shared/ui/states.tsx';
import { useTitle } from '../shared/ui/title.ts';
import { NoList } from './no-list.tsx';
import { PlanHead } from './plan-head.tsx';
import { type PlanSearch, stocksNamed } from './plan-search.ts';
import { ReviewCard } from './review-card.tsx';
import { chooseList, usePlanList } from './use-plan-list.ts';
import './plan.css';

const route = getRouteApi('/review');
/** Sessions of the score, which comes after the review. */
const SCORE_SESSIONS = 20;

/** The plan of a morning with the truth beside it. */
export function ReviewPage(): ReactNode {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePlanList(search);
  const { of } = list;
  const asked = useQuery({ ...reviewQuery(of ?? { symbols: [] }, search, 0), enabled: of !== null });
  const review = of === null ? undefined : asked.data;
  const scored = useQuery({
    ...reviewQuery(of ?? { symbols: [] }, search, SCORE_SESSIONS),
    enabled: review !== undefined,
  });
  useTitle(review === undefined ? 'Review' : `Review ${review.date}`);
  const go = (next: PlanSearch): void => void navigate({ search: next });
  const named = stocksNamed(search, list.chosen);
  return (
    <div className="plan-page">
      <PlanHead
        title={review === undefined ? 'Review' : `Review ${dayOf(noonOf(review.date))}`}
        search={search}
        list={list}
        date={review?.date ?? search.date}
        asOf={review === undefined ? '' : asOfWords(review)}
        pinned={review === undefined ? search : { ...named, date: review.date, as_of: review.as_of }}
        onSearch={go}
      >
        <Link to="/plan" search={review === undefined ? named : { ...named, date: review.date }}>
          its plan
        </Link>
      </PlanHead>
      {of === null && list.isReady && list.chosen === '' ? (
        <NoList onMorning={(name) => go({ ...search, ...chooseList(`screen:${name}`) })} />
      ) : (
        <Answered asked={of === null ? { ...list.asked, data: undefined } : asked} rows={16}>
          {(answer: Review) => (
            <ShownContext value={{ asOf: wordsOf(Date.parse(answer.as_of)), source: answer.source }}>
              <p className="panel plan-market review-says">
                <b>{answer.says}</b>
              </p>
              <Score review={scored.data} isLoading={scored.isLoading} />
              <Alerts review={answer} />
              {answer.stocks.map((stock) => (
                <ReviewCard key={stock.symbol} stock={stock} plannedAt={answer.planned_at} />
              ))}
              <ul className="note plan-left-out" aria-label="Without a review">
                {answer.left_out.map(({ symbol, reason }) => (
                  <li key={symbol}>
                    {symbol}: {reason}
                  </li>
                ))}
              </ul>
            </ShownContext>
          )}
        </Answered>
      )}
    </div>
  );
}

function asOfWords({ planned_at, as_of, is_over }: Review): string {
  const plan = `plan of ${clockOf(Date.parse(planned_at))} ET`;
  return is_over ? `${plan}, session over` : `${plan}, so far ${clockOf(Date.parse(as_of))} ET`;
}

interface ScoreProps {
  readonly review: Review | undefined;
  readonly isLoading: boolean;
}

/** How the plans of the last sessions fared: a bar a session, held of what was decided. */
function Score({ review, isLoading }: ScoreProps): ReactNode {
  if (isLoading) return <Skeleton height={40} />;
  const score = review?.score ?? null;
  if (score === null || score.days.length === 0) return null;
  const { says, stocks, days } = score;
  return (
    <section className="panel plan-market review-score" aria-label="Score of the last sessions">
      <p>
        <span className="quiet">
          Last {days.length} sessions, {stocks.length} {stocks.length === 1 ? 'stock' : 'stocks'}:
        </span>{' '}
        {says}
      </p>
      <ul className="score-days">
        {days.toReversed().map(({ date, held, broken, kept, moves }) => (
          <li
            key={date}
            data-tip={`${dayOf(noonOf(date))}\n${held} of ${held + broken} levels held\n${kept} of ${moves} expected moves kept`}
          >
            <i style={{ height: `${(100 * held) / Math.max(held + broken, 1)}%` }} />
            <span className="visually-hidden">
              {dayOf(noonOf(date))}: {held} of {held + broken} levels held
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Alerts that fired, each a way to the chart at its minute. */
function Alerts({ review: { alerts, missing } }: { readonly review: Review }): ReactNode {
  if (alerts.length === 0)
    return (
      <p className="note plan-market">{missing.map(({ reason }) => reason).join(' ') || 'No alert fired.'}</p>
    );
  return (
    <section className="panel plan-market" aria-label="Alerts">
      <ul>
        {alerts.map(({ symbol, says, fired_at, after_30m_pct: after }) => (
          <li key={`${symbol} ${fired_at} ${says}`}>
            <Link to="/stocks/$symbol" params={{ symbol }} search={{ as_of: minuteOf(Date.parse(fired_at)) }}>
              {clockOf(Date.parse(fired_at))} {symbol}
            </Link>{' '}
            {says}{' '}
            <small>
              {after === null ? '' : `${formatNumber(after, 2, 'exceptZero')} % in the 30 minutes after`}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
