import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import { barsOf, Columns } from '../../shared/charts/columns.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { isolated } from '../../shared/ui/isolated.ts';
import { formatNumber, formatPrice } from '../../shared/ui/number.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Stack } from '../../shared/ui/stack.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { type Figure, StockFigures, valueAt } from './stock-figures.tsx';

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
];
const STREAK = 'earnings.consecutive_beats';
/** Negative are misses. */
const streakOf = (stock: Stock): Figure =>
  (valueAt(stock, STREAK) ?? 0) < 0
    ? [STREAK, 'Misses in a row', 'integer', { scale: -1 }]
    : [STREAK, 'Beats in a row', 'integer'];
const OWNERSHIP: readonly Figure[] = [
  ['ownership.insider_purchases', 'Insider purchases', 'integer'],
  ['ownership.insider_sales', 'Insider sales', 'integer'],
  ['fundamental.free_float_pct', 'Free float', 'percent'],
];

interface FiguresProps {
  readonly stock: Stock;
  readonly title: string;
  readonly figures: readonly Figure[];
  readonly reason: string;
}

const Figures = ({ stock, title, figures, reason }: FiguresProps): ReactNode => (
  <Panel label={title}>
    {figures.every(([path]) => valueAt(stock, path) === null) ? (
      <Missing reason={reason} height={80} />
    ) : (
      <StockFigures stock={stock} figures={figures} />
    )}
  </Panel>
);

const RATINGS = [
  ['strong sell', 'strong_sell_count', 'down'],
  ['sell', 'sell_count', 'down pale'],
  ['hold', 'hold_count', 'neutral'],
  ['buy', 'buy_count', 'up pale'],
  ['strong buy', 'strong_buy_count', 'up'],
] as const;
const TARGETS: readonly Figure[] = [
  ['analyst.target_mean', 'Mean target', 'price'],
  ['analyst.target_upside', 'Upside', 'signed-percent', { directed: true }],
];

/** Ratings as one bar from strong sell to strong buy, with the range of price targets around the price. */
function Analysts({ stock }: { readonly stock: Stock }): ReactNode {
  const { analyst, last_price: price } = stock;
  if (analyst === null || analyst === undefined)
    return (
      <Panel label="Analysts">
        <Missing reason={ABSENT.recommendation} height={80} />
      </Panel>
    );
  const count = RATINGS.reduce((sum, [, name]) => sum + (analyst[name] ?? 0), 0);
  const { target_low: low, target_mean: mean, target_high: high } = analyst;
  return (
    <Panel label="Analysts" small={<bdi>{analyst.consensus}</bdi>}>
      <Stack
        parts={RATINGS.map(([words, name, tone]) => [
          tone,
          analyst[name] ?? 0,
          `${words}\n${analyst[name] ?? 0} of ${Math.max(count, 1)}`,
        ])}
        whole={count}
      />
      {low == null || mean == null || high == null ? null : (
        <TargetRange low={low} mean={mean} high={high} price={price ?? null} />
      )}
      <StockFigures stock={stock} figures={TARGETS} />
    </Panel>
  );
}

interface TargetRangeProps {
  readonly low: number;
  readonly mean: number;
  readonly high: number;
  readonly price: number | null;
}

function TargetRange({ low, mean, high, price }: TargetRangeProps): ReactNode {
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
    <Panel
      label="Earnings history"
      className="wide"
      title="Earnings a share"
      small="expected, then reported, with the surprise"
    >
      {quarters.length === 0 ? (
        <Missing reason={ABSENT.results} height={120} />
      ) : (
        <Columns
          label="Earnings a share by quarter"
          shown={(value) => formatNumber(value, 2)}
          columns={quarters.map(({ date, eps_actual, eps_estimate, surprise_pct }) => ({
            name: date,
            title: date.slice(0, 7),
            bars: barsOf(['pale', eps_estimate], [(surprise_pct ?? 0) < 0 ? 'down' : 'up', eps_actual]),
            tip: `Announced ${date}\nreported ${said(eps_actual)} USD, expected ${said(eps_estimate)} USD`,
            ...(surprise_pct === null ? {} : { note: `${formatNumber(surprise_pct, 1, 'exceptZero')} %` }),
          }))}
        />
      )}
    </Panel>
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
      <Figures
        stock={stock}
        title="Results"
        figures={[...EARNINGS, streakOf(stock)]}
        reason={ABSENT.results}
      />
      <Quarters stock={stock} />
      <Analysts stock={stock} />
      <Figures stock={stock} title="Ownership" figures={OWNERSHIP} reason={ABSENT.insiders} />
    </div>
  );
}
