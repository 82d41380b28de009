import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import type { Instant } from '../../shared/instant.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { Num } from '../../shared/ui/number.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Stack } from '../../shared/ui/stack.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { CvdFigure } from './cvd-figure.tsx';
import { type Figure, StockFigures } from './stock-figures.tsx';

interface Part {
  readonly tone: string;
  readonly name: string;
  readonly shares: number;
}

/** Shares of two sides as parts of one bar. */
const Parts = ({ parts }: { readonly parts: readonly [Part, Part] }): ReactNode => (
  <div className="parts">
    <Stack
      parts={parts.map(({ tone, name, shares }) => [tone, shares, `${name}\n${shares} shares`])}
      whole={parts[0].shares + parts[1].shares}
    />
    <p>
      {parts.map(({ name, shares }) => (
        <span key={name}>
          {name} <Num value={shares} shape="amount" label={name} unit="shares" />
        </span>
      ))}
    </p>
  </div>
);

const SIDES: readonly Figure[] = [
  ['cvd', 'CVD', 'amount', { directed: true }],
  ['cvd_pct', 'CVD, share', 'signed-percent', { directed: true }],
  ['buy_sell_ratio', 'Buy/sell', 'ratio'],
  ['price.order_flow.classified_pct', 'Classified', 'percent'],
];
const VENUES: readonly Figure[] = [
  ['dark_pool_pct_1d', 'Off exchange', 'fraction'],
  ['block_trade_count', 'Block trades', 'integer'],
  ['price.order_flow.block_volume', 'Block volume', 'amount'],
];
const DIVERGENCES: Readonly<Record<string, string>> = {
  bullish_div: 'bullish',
  bearish_div: 'bearish',
  none: 'none',
};

/** Who bought and who sold, on which venues, in what sizes. */
export function FlowTab({ stock, asOf }: { readonly stock: Stock; readonly asOf: Instant }): ReactNode {
  const { price, lit_volume_1d: lit, dark_volume_1d: dark } = stock;
  const flow = price?.order_flow;
  return (
    <div className="tab-grid">
      <Panel
        label="CVD against price"
        className="wide"
        title="Price and CVD"
        small={
          <>
            <span className="curve-key">price</span>
            <span className="curve-key flow">bought less sold since the open</span>
          </>
        }
      >
        {price == null ? (
          <Missing reason={ABSENT.sessionBars} height={120} />
        ) : (
          <CvdFigure symbol={stock.symbol} asOf={asOf} date={price.trade_date} />
        )}
      </Panel>
      <Panel label="Buyers and sellers">
        {flow == null || flow.trades === null ? (
          <Missing reason={ABSENT.trades} height={120} />
        ) : (
          <>
            <Parts
              parts={[
                { tone: 'up', name: 'bought', shares: flow.buy_volume ?? 0 },
                { tone: 'down', name: 'sold', shares: flow.sell_volume ?? 0 },
              ]}
            />
            <StockFigures stock={stock} figures={SIDES}>
              <dt>Divergence</dt>
              <dd>{DIVERGENCES[stock.cvd_divergence ?? ''] ?? '–'}</dd>
            </StockFigures>
          </>
        )}
      </Panel>
      <Panel label="Venues">
        {dark == null || lit == null ? (
          <Missing reason={ABSENT.trades} height={120} />
        ) : (
          <>
            <Parts
              parts={[
                { tone: 'lit-volume', name: 'exchanges', shares: lit },
                { tone: 'dark-volume', name: 'off exchange', shares: dark },
              ]}
            />
            <StockFigures stock={stock} figures={VENUES} />
          </>
        )}
      </Panel>
    </div>
  );
}
