import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { AlertButton } from '../shared/alerts/alert-button.tsx';
import { choicesOfLevel } from '../shared/alerts/choices.ts';
import type { PlanLevel, PlanStock } from '../shared/api/queries.ts';
import { clockOf } from '../shared/instant.ts';
import { fullName, labelOf } from '../shared/levels.ts';
import { formatNumber, formatPrice } from '../shared/ui/number.tsx';

interface Props {
  readonly stock: PlanStock;
  readonly asOf: string;
}

/** Three levels above the price and three below, each a way to the chart with it selected. */
export function LevelTable({ stock, asOf }: Props): ReactNode {
  const { symbol, above, below, price, levels_left_out, missing } = stock;
  if (above.length + below.length === 0)
    return (
      <p className="quiet">{missing.find(({ field }) => field === 'above')?.reason ?? 'No level is near.'}</p>
    );
  const isSeen = [...above, ...below].some(({ state }) => state !== null);
  const isCounted = [...above, ...below].some(({ record }) => record?.rate != null && record.chance !== null);
  const row = (level: PlanLevel): ReactNode => (
    <tr key={`${level.name} ${level.price}`}>
      <th scope="row">
        <Link
          to="/stocks/$symbol"
          params={{ symbol }}
          search={{ as_of: asOf, select: level.name }}
          data-tip={[level.name, ...level.with].map(fullName).join('\n')}
        >
          {[level.name, ...level.with].map(labelOf).join(' + ')}
        </Link>
      </th>
      <td>{formatPrice(level.price)}</td>
      <td>{level.distance_atr === null ? '–' : formatNumber(Math.abs(level.distance_atr), 2)}</td>
      {isSeen ? <td>{todayWords(level)}</td> : null}
      {isCounted ? <td data-tip={level.record?.says}>{heldWords(level)}</td> : null}
      <td className="alert">
        <AlertButton of={labelOf(level.name)} draft={() => choicesOfLevel(symbol, level.name, level.price)} />
      </td>
    </tr>
  );
  return (
    <div>
      <table className="plan-levels">
        <caption className="visually-hidden">Levels near the price</caption>
        <thead>
          <tr>
            <th scope="col">level</th>
            {['price', 'ATR', ...(isSeen ? ['today'] : []), ...(isCounted ? ['held'] : [])].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">alert</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {above.toReversed().map(row)}
          <tr className="here">
            <th scope="row">price</th>
            <td>{price === null ? '–' : formatPrice(price)}</td>
            <td colSpan={2 + Number(isSeen) + Number(isCounted)} />
          </tr>
          {below.map(row)}
        </tbody>
      </table>
      {levels_left_out === 0 ? null : (
        <p className="note">
          {levels_left_out} {levels_left_out === 1 ? 'level' : 'levels'} left out: such held less often than
          chance
        </p>
      )}
    </div>
  );
}

function todayWords({ state, decided_at, touched_at, holds }: PlanLevel): string {
  if (state === null) return '–';
  const at = decided_at ?? touched_at;
  const times = state === 'held' && holds !== null && holds > 1 ? ` ${holds}x` : '';
  return `${state}${times}${at === null ? '' : ` ${clockOf(Date.parse(at))}`}`;
}

/** `49 %, chance 47`; nothing where too few are counted. */
function heldWords({ record }: PlanLevel): string {
  if (record === null || record.rate === null || record.chance === null) return '–';
  return `${Math.round(100 * record.rate)} %, chance ${Math.round(100 * record.chance)}`;
}
