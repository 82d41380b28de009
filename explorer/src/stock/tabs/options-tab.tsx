import { useQuery } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import {
  type DteScores,
  dteQuery,
  type Exposure,
  exposureQuery,
  type Stock,
} from '../../shared/api/queries.ts';
import { chainAge, countedFrom } from '../../shared/chain-age.ts';
import { BarsByStrike } from '../../shared/charts/bars-by-strike.tsx';
import { barsOf, Columns } from '../../shared/charts/columns.tsx';
import { bandWords, type Expected, standsIn } from '../../shared/expected-move.ts';
import { dayOf, type Instant, noonOf } from '../../shared/instant.ts';
import { inWords } from '../../shared/levels.ts';
import { useRecord } from '../../shared/records.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { Select } from '../../shared/ui/choices.tsx';
import { formatAmount, formatCompact, formatNumber, formatPrice, Num } from '../../shared/ui/number.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Answered, Missing } from '../../shared/ui/states.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { hasChain } from '../has-chain.ts';
import { type Figure, StockFigures } from './stock-figures.tsx';
import { expirationName, Volatility } from './volatility.tsx';

/** The nearest expirations: half a year. */
const EXPIRATIONS_SHOWN = 8;

const DIRECTIONS = ['bullish', 'bearish'] as const;
const TIMEFRAMES = ['intraday', 'swing', 'position'] as const;

const FIGURES: readonly Figure[] = [
  ['options.iv_rank', 'IV rank', 'score'],
  ['options.iv_percentile', 'IV percentile', 'score'],
  ['options.iv_skew', 'Skew, 25 delta', 'signed-percent', { scale: 100 }],
  ['options.put_call_ratio', 'Put/call volume', 'ratio'],
  ['options.chain_total_oi', 'Open interest', 'amount'],
  ['options.theta_drag_15d', 'Theta drag, 15 days', 'percent'],
];

interface Props {
  readonly symbol: string;
  readonly asOf: Instant;
  readonly stock: Stock;
}

/** Dealer exposure by strike and expiration, and which expiration suits a trade. */
export function OptionsTab({ symbol, asOf, stock }: Props): ReactNode {
  const isKnown = hasChain(stock);
  const exposure = useQuery({
    ...exposureQuery(symbol, asOf),
    enabled: isKnown,
    select: (answer) => countedFrom(answer, stock),
  });
  const { options } = stock;
  if (!isKnown)
    return (
      <Panel label="Exposure" title={null}>
        <Missing reason={ABSENT.chain} height={200} />
      </Panel>
    );
  const age = exposure.data === undefined ? '' : chainAge(exposure.data);
  return (
    <div className="tab-grid">
      <Panel
        label="Exposure"
        className="double"
        title="Dealer gamma by strike"
        small={`${inWords(stock.gex_regime ?? 'regime not known').toLowerCase()}${age === '' ? '' : `, ${age}`}`}
      >
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
      </Panel>
      <Panel
        label="Option figures"
        title="Volatility"
        small={chainAge({ source_time: options?.refresh_timestamp, sessions_old: options?.sessions_old })}
      >
        {options == null ? (
          <Missing reason={ABSENT.chain} />
        ) : (
          <StockFigures stock={stock} figures={FIGURES}>
            <dt>Best strategy</dt>
            <dd>{options.best_options_strategy === null ? '–' : inWords(options.best_options_strategy)}</dd>
          </StockFigures>
        )}
      </Panel>
      {stock.expected_move == null ? null : <ExpectedMoves expected={stock.expected_move} asOf={asOf} />}
      {exposure.data?.availability === 'unavailable' ? null : (
        <>
          <Panel
            label="Exposure by expiration"
            className="wide"
            title="Dealer gamma by expiration"
            small={age}
          >
            <Answered asked={exposure} height={180}>
              {(data) => <ByExpiration exposure={data} />}
            </Answered>
          </Panel>
          <Volatility stock={stock} asOf={asOf} />
          <DteTable stock={stock} asOf={asOf} />
        </>
      )}
    </div>
  );
}

const BANDS = { day: 'Day', week: 'Week', next: 'Next session' } as const;

/** How far options expect the price to go: by the close of the day, of the week, and to each expiration. */
function ExpectedMoves({
  expected,
  asOf,
}: {
  readonly expected: Expected;
  readonly asOf: Instant;
}): ReactNode {
  const record = useRecord(asOf, 'expected_move.day');
  const { day_position: position, expirations } = expected;
  const move = (usd: number | null, percent: number | null): ReactNode => (
    <td className="number">
      {usd === null || percent === null ? '–' : `${formatPrice(usd)} (${formatNumber(percent, 1)} %)`}
    </td>
  );
  return (
    <Panel
      label="Expected move"
      small={chainAge({ source_time: expected.refresh_timestamp, sessions_old: expected.sessions_old })}
    >
      <dl className="figures">
        {(Object.keys(BANDS) as (keyof typeof BANDS)[]).map((name) => {
          const band = expected[name];
          return band === null ? null : (
            <Fragment key={name}>
              <dt>
                {BANDS[name]}, to {dayOf(noonOf(band.until))}
              </dt>
              <dd>
                {bandWords(band)}
                {name === 'day' && position !== null ? `, ${standsIn(position)}` : ''}
              </dd>
            </Fragment>
          );
        })}
      </dl>
      <Table heads={['expiration', 'one deviation', 'straddle']}>
        {expirations
          .slice(0, EXPIRATIONS_SHOWN)
          .map(({ expiration, implied, implied_pct, straddle, straddle_pct }) => (
            <tr key={`${expiration} ${implied}`}>
              <th scope="row">{expiration}</th>
              {move(implied, implied_pct)}
              {move(straddle, straddle_pct)}
            </tr>
          ))}
      </Table>
      <p className="note">
        One deviation by the volatility at the money: two closes of three lie within. The straddle is what the
        price moves on average.
        {record === null ? '' : ` Closes of the next session: ${record}.`}
      </p>
    </Panel>
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
        bars: barsOf(['up', one.call_gamma], ['down', one.put_gamma === null ? null : -one.put_gamma]),
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
function DteTable({ stock, asOf }: Omit<Props, 'symbol'>): ReactNode {
  const [direction, setDirection] = useState<DteScores['direction']>('bullish');
  const [timeframe, setTimeframe] = useState<DteScores['timeframe']>('swing');
  const [chosen, setChosen] = useState<string | null>(null);
  const asked = useQuery({
    ...dteQuery(stock.symbol, { direction, timeframe }, asOf),
    select: (answer) => countedFrom(answer, stock),
  });
  const record = useRecord(asOf, `expiration.${timeframe}.${direction}`);
  return (
    <section className="panel wide" aria-label="Expirations">
      <h2>
        Expirations{' '}
        <Select label="Direction" options={DIRECTIONS} value={direction} onChange={setDirection} />{' '}
        <Select label="Timeframe" options={TIMEFRAMES} value={timeframe} onChange={setTimeframe} />
        {asked.data === undefined ? null : <small> {chainAge(asked.data)}</small>}
        {record === null ? null : <small> recommended ones {record}</small>}
      </h2>
      <Answered asked={asked} rows={8}>
        {(data) =>
          data.expirations.length === 0 ? (
            <Missing reason={data.availability_qualifier ?? ABSENT.chain} />
          ) : (
            <Table heads={['expiration', 'days', 'score', ...COLUMNS.map(([, title]) => title), 'why']}>
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
            </Table>
          )
        }
      </Answered>
    </section>
  );
}
