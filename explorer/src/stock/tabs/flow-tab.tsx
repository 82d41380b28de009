import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import type { Instant } from '../../shared/instant.ts';
import { ABSENT } from '../../shared/sentences.ts';
import { Num } from '../../shared/ui/number.tsx';
import { Missing } from '../../shared/ui/states.tsx';
import { CvdFigure } from './cvd-figure.tsx';

/** A share of a whole as two parts of one bar. */
function Parts({
  a,
  b,
  nameA,
  nameB,
  tones,
}: {
  readonly a: number;
  readonly b: number;
  readonly nameA: string;
  readonly nameB: string;
  readonly tones: readonly [string, string];
}): ReactNode {
  const whole = Math.max(a + b, 1);
  return (
    <div className="parts">
      <div className="stack">
        <span
          className={tones[0]}
          style={{ width: `${(a / whole) * 100}%` }}
          data-tip={`${nameA}\n${a} shares`}
        />
        <span
          className={tones[1]}
          style={{ width: `${(b / whole) * 100}%` }}
          data-tip={`${nameB}\n${b} shares`}
        />
      </div>
      <p>
        <span>
          {nameA} <Num value={a} shape="amount" label={nameA} unit="shares" />
        </span>
        <span>
          {nameB} <Num value={b} shape="amount" label={nameB} unit="shares" />
        </span>
      </p>
    </div>
  );
}

const DIVERGENCES: Readonly<Record<string, string>> = {
  bullish_div: 'bullish',
  bearish_div: 'bearish',
  none: 'none',
};

/** Who bought and who sold, on which venues, in what sizes. */
export function FlowTab({ stock, asOf }: { readonly stock: Stock; readonly asOf: Instant }): ReactNode {
  const flow = stock.price?.order_flow;
  const classified = flow?.classified_pct;
  return (
    <div className="tab-grid">
      <section className="panel wide" aria-label="CVD against price">
        <h2>
          Price and CVD{' '}
          <small>
            <span className="curve-key">price</span>
            <span className="curve-key flow">bought less sold since the open</span>
          </small>
        </h2>
        {stock.price === null || stock.price === undefined ? (
          <Missing reason={ABSENT.sessionBars} height={120} />
        ) : (
          <CvdFigure symbol={stock.symbol} asOf={asOf} date={stock.price.trade_date} />
        )}
      </section>
      <section className="panel" aria-label="Buyers and sellers">
        <h2>Buyers and sellers</h2>
        {flow === null || flow === undefined || flow.trades === null ? (
          <Missing reason={ABSENT.trades} height={120} />
        ) : (
          <>
            <Parts
              a={flow.buy_volume ?? 0}
              b={flow.sell_volume ?? 0}
              nameA="bought"
              nameB="sold"
              tones={['up', 'down']}
            />
            <dl className="figures">
              <dt>CVD</dt>
              <dd>
                <Num value={stock.cvd} shape="amount" field="cvd" directed />
              </dd>
              <dt>CVD, share</dt>
              <dd>
                <Num value={stock.cvd_pct} shape="signed-percent" field="cvd_pct" directed />
              </dd>
              <dt>Buy/sell</dt>
              <dd>
                <Num value={stock.buy_sell_ratio} shape="ratio" field="buy_sell_ratio" />
              </dd>
              <dt>Classified</dt>
              <dd>
                <Num value={classified} shape="percent" field="price.order_flow.classified_pct" />
              </dd>
              <dt>Divergence</dt>
              <dd>{DIVERGENCES[stock.cvd_divergence ?? ''] ?? '–'}</dd>
            </dl>
          </>
        )}
      </section>
      <section className="panel" aria-label="Venues">
        <h2>Venues</h2>
        {stock.dark_volume_1d === null ||
        stock.lit_volume_1d === null ||
        stock.dark_volume_1d === undefined ||
        stock.lit_volume_1d === undefined ? (
          <Missing reason={ABSENT.trades} height={120} />
        ) : (
          <>
            <Parts
              a={stock.lit_volume_1d}
              b={stock.dark_volume_1d}
              nameA="exchanges"
              nameB="off exchange"
              tones={['lit-volume', 'dark-volume']}
            />
            <dl className="figures">
              <dt>Off exchange</dt>
              <dd>
                <Num value={stock.dark_pool_pct_1d} shape="fraction" field="dark_pool_pct_1d" />
              </dd>
              <dt>Block trades</dt>
              <dd>
                <Num value={stock.block_trade_count} shape="integer" field="block_trade_count" />
              </dd>
              <dt>Block volume</dt>
              <dd>
                <Num value={flow?.block_volume} shape="amount" field="price.order_flow.block_volume" />
              </dd>
            </dl>
          </>
        )}
      </section>
    </div>
  );
}
