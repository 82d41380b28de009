import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ageOf } from './age.ts';
import { AlertButton } from './alerts/alert-button.tsx';
import { choicesOfStock } from './alerts/choices.ts';
import { feedsQuery, type MarketContext, type Stock } from './api/queries.ts';
import { bandTip, standsIn } from './expected-move.ts';
import { feedAge, feedName } from './feed-words.ts';
import { formatNumber, Num } from './ui/number.tsx';
import { Skeleton } from './ui/states.tsx';

interface Props {
  readonly symbol: string;
  readonly asked: { readonly data: Stock | undefined };
  readonly market: MarketContext | undefined;
  /** Whether the newest minute is shown, which the live feed brings. */
  readonly isNewest?: boolean;
}

/** Symbol, price, change and side, readable from three metres. */
export function PriceHead({ symbol, asked, market, isNewest = false }: Props): ReactNode {
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
          {stock.simulated && !/simulated/i.test(stock.company_name ?? '') ? ' simulated' : ''}
        </small>
      </h1>
      <span className="price">
        <Num
          value={stock.price?.day_price}
          shape="price"
          field="price.day_price"
          missing={priceMissing(stock)}
        />
        <AlertButton of={symbol} draft={() => choicesOfStock(symbol)} />
      </span>
      <span className="change">
        <Num value={stock.price?.change_pct} shape="signed-percent" field="price.change_pct" directed />
      </span>
      <Extended stock={stock} />
      <ExpectedMove stock={stock} />
      <Bias stock={stock} />
      {stock.halted ? <strong className="halted">halted</strong> : null}
      {typeof stock.price?.partial_feed === 'string' ? (
        <button
          type="button"
          className="badge partial"
          data-tip={`Prices of ${feedName(stock.price.partial_feed)} alone: each traded there, but high and low may lie inside those of the market, and the volume of one exchange is not that of the stock.`}
        >
          partial
        </button>
      ) : null}
      <span className={isOld ? 'instant stale' : 'instant'}>{words}</span>
      {isNewest ? <FeedAge /> : null}
    </div>
  );
}

/** `IEX, 3 s behind`, counted on between the answers. */
function FeedAge(): ReactNode {
  const { data, dataUpdatedAt } = useQuery(feedsQuery);
  const [now, setNow] = useState(dataUpdatedAt);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const feed = data?.feeds[0];
  const age = feed === undefined ? null : feedAge(feed, Math.max(0, (now - dataUpdatedAt) / 1_000));
  if (age === null) return null;
  return (
    <span className={age.isOld ? 'feed-age stale' : 'feed-age'} data-tip={feed?.says ?? undefined}>
      {age.words}
    </span>
  );
}

/** The close that a pre-market price is measured from, or the print after today's: a number beside that of the day. */
function Extended({ stock: { price } }: { readonly stock: Stock }): ReactNode {
  const extended = price?.extended ?? null;
  if (extended === null) return null;
  if (extended.session === 'pre')
    return (
      <span className="extended">
        pre-market, close <Num value={price?.previous_close} shape="price" field="price.previous_close" />
      </span>
    );
  return (
    <span className="extended">
      after hours <Num value={extended.price} shape="price" field="price.extended.price" />{' '}
      <Num value={extended.change_pct} shape="signed-percent" field="price.extended.change_pct" directed />
    </span>
  );
}

/** What options expected of the day, and where the price stands in it. */
function ExpectedMove({ stock: { expected_move: found } }: { readonly stock: Stock }): ReactNode {
  if (found?.day == null || found.day_position === null) return null;
  return (
    <span className="expected" data-tip={bandTip(found)}>
      expected ±{formatNumber(found.day.move_pct, 1)} %, {standsIn(found.day_position)}
    </span>
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
