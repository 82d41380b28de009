import type { ReactNode } from 'react';
import type { MarketContext, Stock } from './api/queries.ts';
import { wordsOf } from './instant.ts';
import { inWords } from './levels.ts';
import { Num } from './ui/number.tsx';
import { Skeleton } from './ui/states.tsx';

const PHASES: Readonly<Record<string, string>> = {
  pre_market: 'pre-market',
  regular: 'market open',
  after_hours: 'after hours',
  closed: 'closed',
};

/** A stock without a bar for so long while the market is open: halted, thin, or a feed that stands still. */
const OLD_MS = 30 * 60_000;

interface Props {
  readonly symbol: string;
  readonly asked: { readonly data: Stock | undefined };
  readonly market: MarketContext | undefined;
}

/** Symbol, price, change and side, readable from three metres. */
export function PriceHead({ symbol, asked, market }: Props): ReactNode {
  const stock = asked.data;
  if (stock === undefined) return <Skeleton height={44} />;
  const instant = Date.parse(stock.updated_at);
  const isOld = market?.clock.phase === 'regular' && Date.parse(market.as_of) - instant > OLD_MS;
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
      <span className={isOld ? 'instant stale' : 'instant'}>
        {isOld ? 'no bar since ' : ''}
        {wordsOf(instant)}
        {market === undefined ? '' : ` · ${PHASES[market.clock.phase] ?? inWords(market.clock.phase)}`}
      </span>
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
