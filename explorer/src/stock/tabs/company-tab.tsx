import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import { Columns } from '../../shared/charts/columns.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { isolated } from '../../shared/ui/isolated.ts';
import { formatNumber, formatPrice, Num, type Shape } from '../../shared/ui/number.tsx';
import { Missing } from '../../shared/ui/states.tsx';

type Figure = readonly [path: string, title: string, shape: Shape];

const VALUATION: readonly Figure[] = [
  ['fundamental.market_cap', 'Market cap', 'amount'],
  ['fundamental.pe_ratio', 'P/E', 'ratio'],
  ['fundamental.forward_pe', 'Forward P/E', 'ratio'],
  ['fundamental.peg_ratio', 'PEG', 'ratio'],
  ['fundamental.price_to_book', 'Price to book', 'ratio'],
  ['fundamental.price_to_sales', 'Price to sales', 'ratio'],
  ['fundamental.ev_ebitda', 'EV/EBITDA', 'ratio'],
  ['fundamental.dividend_yield', 'Dividend yield', 'percent'],
  ['fundamental.beta', 'Beta', 'ratio'],
];
const QUALITY: readonly Figure[] = [
  ['fundamental.roe', 'Return on equity', 'percent'],
  ['fundamental.roic', 'ROIC', 'percent'],
  ['fundamental.gross_margin', 'Gross margin', 'percent'],
  ['fundamental.operating_margin', 'Operating margin', 'percent'],
  ['fundamental.net_margin', 'Net margin', 'percent'],
  ['fundamental.revenue_growth_yoy', 'Revenue growth', 'signed-percent'],
  ['fundamental.earnings_growth_yoy', 'Earnings growth', 'signed-percent'],
  ['fundamental.debt_to_equity', 'Debt to equity', 'ratio'],
  ['fundamental.current_ratio', 'Current ratio', 'ratio'],
];
const EARNINGS: readonly Figure[] = [
  ['earnings.days_until', 'Days to results', 'integer'],
  ['earnings.surprise_pct', 'Last surprise', 'signed-percent'],
  ['earnings.beat_rate_8q', 'Beats of 8 quarters', 'fraction'],
  ['earnings.consecutive_beats', 'Beats in a row', 'integer'],
];
const OWNERSHIP: readonly Figure[] = [
  ['ownership.insider_purchases', 'Insider purchases', 'integer'],
  ['ownership.insider_sales', 'Insider sales', 'integer'],
  ['fundamental.free_float_pct', 'Free float', 'percent'],
];

/** The value at a dotted path of an answer. */
function valueAt(stock: Stock, path: string): number | null {
  let value: unknown = stock;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'number' ? value : null;
}

function Figures({
  stock,
  title,
  figures,
  reason,
}: {
  readonly stock: Stock;
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly reason: string;
}): ReactNode {
  const isEmpty = figures.every(([path]) => valueAt(stock, path) === null);
  return (
    <section className="panel" aria-label={title}>
      <h2>{title}</h2>
      {isEmpty ? (
        <Missing reason={reason} height={80} />
      ) : (
        <dl className="figures">
          {figures.map(([path, name, shape]) => (
            <div key={path}>
              <dt>{name}</dt>
              <dd>
                <Num value={valueAt(stock, path)} shape={shape} field={path} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Ratings as one bar from strong sell to strong buy, with the range of price targets around the price. */
function Analysts({ stock }: { readonly stock: Stock }): ReactNode {
  const { analyst, last_price: price } = stock;
  if (analyst === null || analyst === undefined) {
    return (
      <section className="panel" aria-label="Analysts">
        <h2>Analysts</h2>
        <Missing reason={ABSENT.recommendation} height={80} />
      </section>
    );
  }
  const ratings = [
    ['strong sell', analyst.strong_sell_count, 'down'],
    ['sell', analyst.sell_count, 'down pale'],
    ['hold', analyst.hold_count, 'neutral'],
    ['buy', analyst.buy_count, 'up pale'],
    ['strong buy', analyst.strong_buy_count, 'up'],
  ] as const;
  const count = Math.max(
    1,
    ratings.reduce((sum, [, number]) => sum + (number ?? 0), 0),
  );
  const { target_low: low, target_mean: mean, target_high: high } = analyst;
  return (
    <section className="panel" aria-label="Analysts">
      <h2>
        Analysts{' '}
        <small>
          <bdi>{analyst.consensus}</bdi>
        </small>
      </h2>
      <div className="stack ratings">
        {ratings.map(([name, number, tone]) => (
          <span
            key={name}
            className={tone}
            style={{ width: `${((number ?? 0) / count) * 100}%` }}
            data-tip={`${name}\n${number ?? 0} of ${count}`}
          />
        ))}
      </div>
      {low === null ||
      mean === null ||
      high === null ||
      low === undefined ||
      mean === undefined ||
      high === undefined ? null : (
        <TargetRange low={low} mean={mean} high={high} price={price ?? null} />
      )}
      <dl className="figures">
        <dt>Mean target</dt>
        <dd>
          <Num value={mean} shape="price" field="analyst.target_mean" />
        </dd>
        <dt>Upside</dt>
        <dd>
          <Num value={analyst.target_upside} shape="signed-percent" field="analyst.target_upside" directed />
        </dd>
      </dl>
    </section>
  );
}

function TargetRange({
  low,
  mean,
  high,
  price,
}: {
  readonly low: number;
  readonly mean: number;
  readonly high: number;
  readonly price: number | null;
}): ReactNode {
  const from = Math.min(low, price ?? low) * 0.98;
  const to = Math.max(high, price ?? high) * 1.02;
  const share = (value: number): string => `${((value - from) / (to - from)) * 100}%`;
  return (
    <div className="range" data-tip={`Price targets\n${low} to ${high} USD, mean ${mean}`}>
      <span className="span" style={{ left: share(low), right: `calc(100% - ${share(high)})` }} />
      <i className="mean" style={{ left: share(mean) }} />
      {price === null ? null : <i className="price" style={{ left: share(price) }} />}
    </div>
  );
}

/** Earnings a share of each quarter beside what was expected. */
function Quarters({ stock }: { readonly stock: Stock }): ReactNode {
  const quarters = stock.earnings?.quarters ?? [];
  return (
    <section className="panel wide" aria-label="Earnings history">
      <h2>
        Earnings a share <small>expected, then reported, with the surprise</small>
      </h2>
      {quarters.length === 0 ? (
        <Missing reason={ABSENT.results} height={120} />
      ) : (
        <Columns
          label="Earnings a share by quarter"
          shown={(value) => formatNumber(value, 2)}
          columns={quarters.map(({ date, eps_actual, eps_estimate, surprise_pct }) => ({
            name: date,
            title: date.slice(0, 7),
            bars: [
              ...(eps_estimate === null ? [] : [{ value: eps_estimate, tone: 'pale' as const }]),
              ...(eps_actual === null
                ? []
                : [
                    {
                      value: eps_actual,
                      tone: (surprise_pct ?? 0) < 0 ? ('down' as const) : ('up' as const),
                    },
                  ]),
            ],
            tip: `Announced ${date}\nreported ${said(eps_actual)} USD, expected ${said(eps_estimate)} USD`,
            ...(surprise_pct === null ? {} : { note: `${formatNumber(surprise_pct, 1, 'exceptZero')} %` }),
          }))}
        />
      )}
    </section>
  );
}

const said = (value: number | null): string => (value === null ? 'not known' : formatPrice(value));

/** What the company is, earns and is expected to earn. */
export function CompanyTab({ stock }: { readonly stock: Stock }): ReactNode {
  const facts = [
    stock.ceo,
    stock.headquarters,
    stock.employees === null || stock.employees === undefined
      ? null
      : `${stock.employees.toLocaleString('en-US')} employees`,
    stock.fundamental?.sector,
    stock.fundamental?.exchange,
  ];
  return (
    <div className="tab-grid">
      <section className="panel wide" aria-label="About">
        <p className="about">
          <bdi>{stock.company_description ?? ABSENT.description}</bdi>
        </p>
        <small>
          {facts
            .filter((fact) => typeof fact === 'string')
            .map(isolated)
            .join(' · ')}
        </small>
      </section>
      <Figures stock={stock} title="Valuation" figures={VALUATION} reason={ABSENT.fundamentals} />
      <Figures stock={stock} title="Quality and growth" figures={QUALITY} reason={ABSENT.statements} />
      <Figures stock={stock} title="Results" figures={EARNINGS} reason={ABSENT.results} />
      <Quarters stock={stock} />
      <Analysts stock={stock} />
      <Figures stock={stock} title="Ownership" figures={OWNERSHIP} reason={ABSENT.insiders} />
    </div>
  );
}
