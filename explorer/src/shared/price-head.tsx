import type { ReactNode } from 'react';
import { ageOf } from './age.ts';
import type { MarketContext, Stock } from './api/queries.ts';
import { Num } from './ui/number.tsx';
import { Skeleton } from './ui/states.tsx';

interface Props {
  readonly symbol: string;
  readonly asked: { readonly data: Stock | undefined };
  readonly market: MarketContext | undefined;
}

/** Symbol, price, change and side, readable from three metres. */
export function PriceHead({ symbol, asked, market }: Props): ReactNode {
  const stock = asked.data;
  if (stock === undefined) {
    return (
      <div className="price-head">
        <Skeleton height={32} />
      </div>
    );
  }
  const { words, isOld } = ageOf(stock, market);
  return (
    <div className="price-head">
      <h1>
        {symbol}{' '}
        <small>
          <bdi>{stock.company_name}</bdi>
        </small>
      </h1>
      <span className="price">
        <Num value={stock.last_price} shape="price" field="last_price" missing={priceMissing(stock)} />
      </span>
      <span className="change">
        <Num value={stock.price?.change_pct} shape="signed-percent" field="price.change_pct" directed />
      </span>
      <Bias stock={stock} />
      {stock.halted ? <strong className="halted">halted</strong> : null}
      <span className={isOld ? 'instant stale' : 'instant'}>{words}</span>
    </div>
  );
}

const priceMissing = ({ source }: Stock): string =>
  source === 'delayed' ? 'No bar is 15 minutes old yet.' : 'No bar is in view.';

function Bias({ stock }: { readonly stock: Stock }): ReactNode {
  const bias = stock.directional_bias;
  if (bias === null || bias === undefined) return null;
  const tone = bias.startsWith('bull') ? 'up' : bias.startsWith('bear') ? 'down' : 'neutral';
  const sign = tone === 'up' ? '▲' : tone === 'down' ? '▼' : '◆';
  return (
    <span
      className={`bias ${tone}`}
      data-tip={`Side of the confluence scores\nnet ${stock.net_confluence ?? 'not known'}`}
    >
      {sign} {bias}
    </span>
  );
}
