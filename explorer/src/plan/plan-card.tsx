import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { PlanStock } from '../shared/api/queries.ts';
import { clockOf, dayOf, minuteOf, noonOf } from '../shared/instant.ts';
import { inWords } from '../shared/levels.ts';
import { Direction } from '../shared/ui/direction.tsx';
import { formatNumber, formatPrice, Num } from '../shared/ui/number.tsx';
import { LevelTable } from './level-table.tsx';

interface Props {
  readonly stock: PlanStock;
  /** The instant of the plan. */
  readonly asOf: string;
}

/** One stock of the plan, read from left to right: where it stands, what is near, what to do, what would change it. */
export function PlanCard({ stock, asOf }: Props): ReactNode {
  const { symbol, name, price, change_pct, bias, why, weight, turns } = stock;
  const at = minuteOf(Date.parse(asOf));
  return (
    <article className="plan-card" id={symbol} aria-label={symbol}>
      <header>
        <h2>
          <Link to="/stocks/$symbol" params={{ symbol }} search={{ as_of: at }}>
            {symbol}
          </Link>{' '}
          <small>{name}</small>
        </h2>
        <p className="plan-figures">
          <b>
            <Num value={price} shape="price" label="Newest price" unit="USD" />
          </b>{' '}
          <Num value={change_pct} shape="signed-percent" label="From the close before" unit="%" directed />{' '}
          <Direction of={bias} /> {bias ?? 'no score'}
        </p>
        <p className="why-first" data-tip={why.map(({ weight: of, says }) => `${of}  ${says}`).join('\n')}>
          <span className="weight">{weight}</span>{' '}
          {why.map(({ says }) => says).join(' ') || 'Nothing stands out.'}
        </p>
      </header>
      <div className="plan-columns">
        <LevelTable stock={stock} asOf={at} />
        <Standing stock={stock} />
        <div>
          <Setups stock={stock} />
          {turns.length === 0 ? null : <h3>Would change the view</h3>}
          <ul>
            {turns.map(({ says }) => (
              <li key={says}>{says}</li>
            ))}
          </ul>
        </div>
      </div>
    </article>
  );
}

/** What is known of the morning, each under its name. */
function Standing({ stock }: { readonly stock: PlanStock }): ReactNode {
  const { gap, overnight, expected_move: move, gamma, results, changed, patterns, news, missing } = stock;
  const without = new Map(missing.map(({ field, reason }) => [field, reason]));
  const lines: [title: string, words: ReactNode][] = [
    ['Gap', gap === null ? absent(without.get('gap')) : gapWords(gap)],
    ['Overnight', overnight && `${formatPrice(overnight.low)} to ${formatPrice(overnight.high)}`],
    ['Expected move', move === null ? absent(without.get('expected_move')) : moveWords(move)],
    ['Gamma', gamma && gammaWords(gamma)],
    ['Results', results && resultsWords(results)],
    ['Score', changed && changeWords(changed)],
    ['Confirmed', patterns.map(({ type }) => inWords(type)).join(', ')],
    ['News', news.length === 0 ? '' : <Headlines key="news" news={news} />],
  ];
  return (
    <dl className="standing">
      {lines.map(([title, words]) =>
        words === null || words === '' ? null : (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{words}</dd>
          </div>
        ),
      )}
    </dl>
  );
}

const absent = (reason: string | undefined): ReactNode =>
  reason === undefined ? null : <span className="quiet">{reason}</span>;

const signed = (value: number, digits: number): string => formatNumber(value, digits, 'exceptZero');

const gapWords = ({ size, pct }: NonNullable<PlanStock['gap']>): string =>
  `${signed(size, 2)} (${signed(pct, 2)} %)`;

const moveWords = ({ move, move_pct, low, high }: NonNullable<PlanStock['expected_move']>): string =>
  `${formatNumber(move, 2)} (${formatNumber(move_pct, 1)} %), ${formatPrice(low)} to ${formatPrice(high)}`;

function gammaWords({ regime, flip, distance_atr }: NonNullable<PlanStock['gamma']>): string {
  const where =
    distance_atr === null
      ? ''
      : `, ${formatNumber(Math.abs(distance_atr), 2)} ATR ${distance_atr > 0 ? 'above' : 'below'}`;
  return [inWords(regime), flip === null ? '' : `flip ${formatPrice(flip)}${where}`]
    .filter(Boolean)
    .join(', ');
}

const resultsWords = ({ date, days }: NonNullable<PlanStock['results']>): string =>
  days === 0 ? 'today' : `${dayOf(noonOf(date))}, in ${days} ${days === 1 ? 'day' : 'days'}`;

function changeWords({ net, since, gained, lost }: NonNullable<PlanStock['changed']>): ReactNode {
  const [from, to] = net;
  const moved = [...gained, ...lost];
  return (
    <>
      {signed(from!, 1)} to {signed(to!, 1)} <small>since {dayOf(noonOf(since))}</small>
      {moved.length === 0 ? null : (
        <>
          :{' '}
          {moved.map(({ component, points }, at) => (
            <span key={component} className={points > 0 ? 'up' : 'down'}>
              {at === 0 ? '' : ', '}
              {signed(points, 1)} {inWords(component)}
            </span>
          ))}
        </>
      )}
    </>
  );
}

const Headlines = ({ news }: Pick<PlanStock, 'news'>): ReactNode => (
  <ul>
    {news.map(({ headline, published_at, source }) => (
      <li key={`${published_at} ${headline}`}>
        {clockOf(Date.parse(published_at))} {headline} <small>{source}</small>
      </li>
    ))}
  </ul>
);

/** Playbooks that fit, as a trader writes an order. */
function Setups({ stock: { setups } }: { readonly stock: PlanStock }): ReactNode {
  if (setups.length === 0) return null;
  return (
    <table className="setups">
      <caption className="visually-hidden">Setups</caption>
      <thead>
        <tr>
          <th scope="col">setup</th>
          {['trigger', 'stop', 'target', 'R', 'R now'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {setups.map(({ strategy, name, direction, trigger, stop, target, rr_ratio, r_now, record }) => (
          <tr key={strategy}>
            <th scope="row" data-tip={record?.says}>
              <Direction of={direction} /> {name ?? inWords(strategy)}
            </th>
            <td>{priced(trigger)}</td>
            <td>{priced(stop)}</td>
            <td>{priced(target)}</td>
            <td>{rr_ratio === null ? '–' : formatNumber(rr_ratio, 1)}</td>
            <td>{r_now === null ? '–' : formatNumber(r_now, 1)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const priced = (price: number | null): string => (price === null ? '–' : formatPrice(price));
