import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import {
  type DteScores,
  dteQuery,
  type Exposure,
  exposureQuery,
  type Stock,
} from '../../shared/api/queries.ts';
import { chainAge } from '../../shared/chain-age.ts';
import { BarsByStrike } from '../../shared/charts/bars-by-strike.tsx';
import { Columns } from '../../shared/charts/columns.tsx';
import type { Instant } from '../../shared/instant.ts';
import { inWords } from '../../shared/levels.ts';
import { useExpirationRecord } from '../../shared/records.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { formatAmount, formatCompact, formatPrice, Num } from '../../shared/ui/number.tsx';
import { ScrollX } from '../../shared/ui/scroll-x.tsx';
import { Answered, Missing } from '../../shared/ui/states.tsx';
import { hasChain } from '../has-chain.ts';
import { expirationName, Volatility } from './volatility.tsx';

const DIRECTIONS = ['bullish', 'bearish'] as const;
const TIMEFRAMES = ['intraday', 'swing', 'position'] as const;

interface Props {
  readonly symbol: string;
  readonly asOf: Instant;
  readonly stock: Stock;
}

/** Dealer exposure by strike and expiration, and which expiration suits a trade. */
export function OptionsTab({ symbol, asOf, stock }: Props): ReactNode {
  const isKnown = hasChain(stock);
  const exposure = useQuery({ ...exposureQuery(symbol, asOf), enabled: isKnown });
  const { options } = stock;
  if (!isKnown) {
    return (
      <section className="panel" aria-label="Exposure">
        <Missing reason={ABSENT.chain} height={200} />
      </section>
    );
  }
  return (
    <div className="tab-grid">
      <section className="panel double" aria-label="Exposure">
        <h2>
          Dealer gamma by strike{' '}
          <small>
            {inWords(stock.gex_regime ?? 'regime not known').toLowerCase()}
            {exposure.data === undefined ? '' : `, ${chainAge(exposure.data)}`}
          </small>
        </h2>
        <Answered asked={exposure} height={240}>
          {(data) =>
            data.by_strike.length === 0 ? (
              <Missing reason={data.availability_qualifier ?? ABSENT.chain} height={200} />
            ) : (
              <>
                <BarsByStrike exposure={data} />
                <p className="note">
                  {data.availability === 'partial' ? data.availability_qualifier : data.assumption}
                </p>
              </>
            )
          }
        </Answered>
      </section>
      <section className="panel" aria-label="Option figures">
        <h2>
          Volatility{' '}
          <small>
            {chainAge({ source_time: options?.refresh_timestamp, sessions_old: options?.sessions_old })}
          </small>
        </h2>
        {options === null || options === undefined ? (
          <Missing reason={ABSENT.chain} />
        ) : (
          <dl className="figures">
            <dt>IV rank</dt>
            <dd>
              <Num value={options.iv_rank} shape="score" field="options.iv_rank" />
            </dd>
            <dt>IV percentile</dt>
            <dd>
              <Num value={options.iv_percentile} shape="score" field="options.iv_percentile" />
            </dd>
            <dt>Skew, 25 delta</dt>
            <dd>
              <Num
                value={
                  options.iv_skew === null || options.iv_skew === undefined ? null : options.iv_skew * 100
                }
                shape="signed-percent"
                field="options.iv_skew"
              />
            </dd>
            <dt>Put/call volume</dt>
            <dd>
              <Num value={options.put_call_ratio} shape="ratio" field="options.put_call_ratio" />
            </dd>
            <dt>Open interest</dt>
            <dd>
              <Num value={options.chain_total_oi} shape="amount" field="options.chain_total_oi" />
            </dd>
            <dt>Theta drag, 15 days</dt>
            <dd>
              <Num value={options.theta_drag_15d} shape="percent" field="options.theta_drag_15d" />
            </dd>
            <dt>Best strategy</dt>
            <dd>{options.best_options_strategy === null ? '–' : inWords(options.best_options_strategy)}</dd>
          </dl>
        )}
      </section>
      {exposure.data?.availability === 'unavailable' ? null : (
        <>
          <section className="panel wide" aria-label="Exposure by expiration">
            <h2>
              Dealer gamma by expiration{' '}
              <small>{exposure.data === undefined ? '' : chainAge(exposure.data)}</small>
            </h2>
            <Answered asked={exposure} height={180}>
              {(data) => <ByExpiration exposure={data} />}
            </Answered>
          </section>
          <Volatility symbol={symbol} asOf={asOf} />
          <DteTable symbol={symbol} asOf={asOf} />
        </>
      )}
    </div>
  );
}

/** Call gamma above the line and put gamma below it, one column for each expiration. */
function ByExpiration({ exposure }: { readonly exposure: Exposure }): ReactNode {
  const wall = (price: number | null): string => (price === null ? 'none' : formatPrice(price));
  return (
    <Columns
      label="Dealer gamma by expiration"
      height={180}
      isStacked
      shown={formatCompact}
      columns={exposure.by_expiration.map((one) => ({
        name: expirationName(one),
        title: one.expiration.slice(5),
        bars: [
          ...(one.call_gamma === null ? [] : [{ value: one.call_gamma, tone: 'up' as const }]),
          ...(one.put_gamma === null ? [] : [{ value: -one.put_gamma, tone: 'down' as const }]),
        ],
        tip: `${expirationName(one)}, ${one.dte} days\nnet ${one.net_gamma === null ? 'not known' : formatAmount(one.net_gamma)} USD per 1 %\ncall wall ${wall(one.call_wall)}, put wall ${wall(one.put_wall)}`,
      }))}
    />
  );
}

const COLUMNS = [
  ['edge_ratio', 'edge', 'edge_ratio_detail'],
  ['iv_fitness', 'IV', 'iv_fitness_detail'],
  ['dealer_flow', 'dealers', 'dealer_flow_detail'],
  ['liquidity', 'liquidity', 'liquidity_detail'],
] as const;

/** Expirations by score, with the reasons of the one that is pointed at. */
function DteTable({ symbol, asOf }: { readonly symbol: string; readonly asOf: Instant }): ReactNode {
  const [direction, setDirection] = useState<DteScores['direction']>('bullish');
  const [timeframe, setTimeframe] = useState<DteScores['timeframe']>('swing');
  const [chosen, setChosen] = useState<string | null>(null);
  const asked = useQuery(dteQuery(symbol, { direction, timeframe }, asOf));
  const record = useExpirationRecord(asOf, timeframe, direction);
  return (
    <section className="panel wide" aria-label="Expirations">
      <h2>
        Expirations{' '}
        <select
          aria-label="Direction"
          value={direction}
          onChange={({ target }) => setDirection(target.value as typeof direction)}
        >
          {DIRECTIONS.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>{' '}
        <select
          aria-label="Timeframe"
          value={timeframe}
          onChange={({ target }) => setTimeframe(target.value as typeof timeframe)}
        >
          {TIMEFRAMES.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
        {asked.data === undefined ? null : <small> {chainAge(asked.data)}</small>}
        {record === null ? null : <small> recommended ones {record}</small>}
      </h2>
      <Answered asked={asked} rows={8}>
        {(data) =>
          data.expirations.length === 0 ? (
            <Missing reason={data.availability_qualifier ?? ABSENT.chain} />
          ) : (
            <ScrollX>
              <table>
                <thead>
                  <tr>
                    <th scope="col">expiration</th>
                    <th scope="col">days</th>
                    <th scope="col">score</th>
                    {COLUMNS.map(([name, title]) => (
                      <th key={name} scope="col">
                        {title}
                      </th>
                    ))}
                    <th scope="col" className="why">
                      why
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {data.expirations.map((one, row) => {
                    const isBest = one.expiration === data.recommended_expiration;
                    const worst = COLUMNS.toSorted(([a], [b]) => (one[a] ?? 0) - (one[b] ?? 0))[
                      isBest ? COLUMNS.length - 1 : 0
                    ]!;
                    const shown = COLUMNS.find(([name]) => `${row} ${name}` === chosen) ?? worst;
                    return (
                      <tr
                        // biome-ignore lint/suspicious/noArrayIndexKey: two classes of an index expire on one date
                        key={row}
                        className={isBest ? 'best' : one.liquidity_gated ? 'gated' : undefined}
                      >
                        <th scope="row">
                          {one.expiration}
                          {isBest ? ' ★' : ''}
                        </th>
                        <td>{one.dte}</td>
                        <td>
                          <Num
                            value={one.composite_score}
                            shape="score"
                            label="Composite score"
                            unit="points of 100"
                          />
                        </td>
                        {COLUMNS.map(([name, title, detail]) => (
                          <td
                            key={name}
                            data-tip={one[detail] ?? title}
                            onPointerEnter={() => setChosen(`${row} ${name}`)}
                          >
                            {one[name] === null ? '–' : formatAmount(Math.round(one[name]))}
                          </td>
                        ))}
                        <td className="why">
                          {one.liquidity_gated ? 'Too thin to trade. ' : ''}
                          {one[shown[2]]}
                        </td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </ScrollX>
          )
        }
      </Answered>
    </section>
  );
}
