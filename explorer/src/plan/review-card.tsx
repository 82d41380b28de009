import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ReviewStock } from '../shared/api/queries.ts';
import { clockOf, minuteOf } from '../shared/instant.ts';
import { fullName, inWords, labelOf } from '../shared/levels.ts';
import { Direction } from '../shared/ui/direction.tsx';
import { formatNumber, formatPrice, Num } from '../shared/ui/number.tsx';

type Level = ReviewStock['levels'][number];
type Setup = ReviewStock['setups'][number];

interface Props {
  readonly stock: ReviewStock;
  readonly plannedAt: string;
}

/** What became of the plan of a stock; each time leads to the chart at its minute. */
export function ReviewCard({ stock, plannedAt }: Props): ReactNode {
  const { symbol, name, plan_price, price, change_pct, levels, expected_move: move, setups, missing } = stock;
  const touched = levels.filter(({ state }) => state !== null && state !== 'untouched').length;
  const held = levels.filter(({ state }) => state === 'held').length;
  return (
    <article className="plan-card" id={symbol} aria-label={symbol}>
      <header>
        <h2>
          <Link to="/stocks/$symbol" params={{ symbol }} search={{ as_of: minuteOf(Date.parse(plannedAt)) }}>
            {symbol}
          </Link>{' '}
          <small>{name}</small>
        </h2>
        <p className="plan-figures">
          <Num value={plan_price} shape="price" label="Price in the plan" unit="USD" /> to{' '}
          <b>
            <Num value={price} shape="price" label="Official close, or the newest price" unit="USD" />
          </b>{' '}
          <Num value={change_pct} shape="signed-percent" label="From the plan" unit="%" directed />
        </p>
        <p className="why-first">
          {levels.length} levels: {touched} touched, {held} held
        </p>
      </header>
      <div className="plan-columns review-columns">
        {levels.length === 0 || missing.length > 0 ? (
          <p className="quiet">{missing.map(({ reason }) => reason).join(' ') || 'The plan had no level.'}</p>
        ) : (
          <Levels symbol={symbol} levels={levels} planPrice={plan_price} />
        )}
        <div>
          {move === null ? null : (
            <p>
              <span className={move.kept === null ? 'quiet' : move.kept ? 'up' : 'down'}>
                Expected move {move.kept === null ? 'open' : move.kept ? 'kept' : 'left'}
              </span>
              : {formatPrice(move.low)} to {formatPrice(move.high)} ({formatNumber(move.move_pct, 1)} %),
              close {formatNumber(Math.abs(move.position) * 100, 0)} % of it{' '}
              {move.position < 0 ? 'down' : 'up'}
            </p>
          )}
          <Setups symbol={symbol} setups={setups} />
        </div>
      </div>
    </article>
  );
}

interface LevelsProps {
  readonly symbol: string;
  readonly levels: readonly Level[];
  readonly planPrice: number | null;
}

const TONES: Readonly<Record<string, string>> = { held: 'up', broken: 'down' };

function Levels({ symbol, levels, planPrice }: LevelsProps): ReactNode {
  const row = (level: Level): ReactNode => (
    <tr key={`${level.name} ${level.price}`}>
      <th scope="row" data-tip={[level.name, ...level.with].map(fullName).join('\n')}>
        {[level.name, ...level.with].map(labelOf).join(' + ')}
      </th>
      <td>{formatPrice(level.price)}</td>
      <td>{level.distance_atr === null ? '–' : formatNumber(Math.abs(level.distance_atr), 2)}</td>
      <td className={TONES[level.state ?? '']}>
        {level.state ?? '–'}
        {level.state === 'held' && (level.holds ?? 0) > 1 ? ` ${level.holds}x` : ''}
      </td>
      <td>
        <At symbol={symbol} instant={level.decided_at ?? level.touched_at} select={level.name} />
      </td>
      <td>{level.reach_atr === null ? '–' : formatNumber(level.reach_atr, 2)}</td>
    </tr>
  );
  return (
    <table className="plan-levels">
      <caption className="visually-hidden">Levels of the plan and what became of them</caption>
      <thead>
        <tr>
          <th scope="col">level</th>
          <th scope="col">price</th>
          <th scope="col">ATR</th>
          <th scope="col">became</th>
          <th scope="col">at</th>
          <th
            scope="col"
            data-tip="How far price went beyond it once it broke, or back from it once touched, in ATR"
          >
            moved
          </th>
        </tr>
      </thead>
      <tbody>
        {levels.filter(({ side }) => side === 'resistance').map(row)}
        <tr className="here">
          <th scope="row">price in the plan</th>
          <td>{planPrice === null ? '–' : formatPrice(planPrice)}</td>
          <td colSpan={4} />
        </tr>
        {levels.filter(({ side }) => side === 'support').map(row)}
      </tbody>
    </table>
  );
}

interface AtProps {
  readonly symbol: string;
  readonly instant: string | null;
  readonly select?: string;
}

/** A time of the session, and the way to the chart at that minute. */
function At({ symbol, instant, select }: AtProps): ReactNode {
  if (instant === null) return '–';
  const at = Date.parse(instant);
  const search = { as_of: minuteOf(at), ...(select === undefined ? {} : { select }) };
  return (
    <Link to="/stocks/$symbol" params={{ symbol }} search={search}>
      {clockOf(at)}
    </Link>
  );
}

const OUTCOMES: Readonly<Record<NonNullable<Setup['outcome']>, string>> = {
  not_triggered: 'not triggered',
  stopped: 'stopped',
  target: 'target',
  open: 'in the trade',
  closed: 'at the close',
  no_prices: 'no prices',
};

function Setups({
  symbol,
  setups,
}: {
  readonly symbol: string;
  readonly setups: readonly Setup[];
}): ReactNode {
  if (setups.length === 0) return <p className="quiet">The plan had no setup.</p>;
  return (
    <table className="setups">
      <caption className="visually-hidden">Setups of the plan and what became of them</caption>
      <thead>
        <tr>
          {['setup', 'trigger', 'became', 'entry', 'exit', 'R'].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {setups.map(({ strategy, name, direction, trigger, outcome, triggered_at, decided_at, r }) => (
          <tr key={strategy}>
            <th scope="row">
              <Direction of={direction} /> {name ?? inWords(strategy)}
            </th>
            <td>{trigger === null ? '–' : formatPrice(trigger)}</td>
            <td>{outcome === null ? '–' : OUTCOMES[outcome]}</td>
            <td>
              <At symbol={symbol} instant={triggered_at} />
            </td>
            <td>
              <At symbol={symbol} instant={decided_at} />
            </td>
            <td className={r === null ? undefined : r > 0 ? 'up' : 'down'}>
              {r === null ? '–' : formatNumber(r, 1, 'exceptZero')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
