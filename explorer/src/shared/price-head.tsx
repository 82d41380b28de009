import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ageOf } from './age.ts';
import { AlertButton } from './alerts/alert-button.tsx';
import { choicesOfStock } from './alerts/choices.ts';
import { feedsQuery, type MarketContext, type Stock } from './api/queries.ts';
import { feedAge, feedName } from './feed-words.ts';
import { inWords } from './levels.ts';
import { Num } from './ui/number.tsx';
import { Skeleton } from './ui/states.tsx';
import { useMedia } from './use-media.ts';

interface Props {
  readonly symbol: string;
  readonly asked: { readonly data: Stock | undefined };
  readonly market: MarketContext | undefined;
  /** Whether the newest minute is shown, which the live feed brings. */
  readonly isNewest?: boolean;
  /** Since when the stock is of its side, in words. */
  readonly since?: string | null;
  /** The line below. */
  readonly facts?: ReactNode;
}

/** Where a print after hours has no room beside the price. */
const PHONE = '(max-width: 640px)';

/** Symbol, price, change and side, readable from three metres. */
export function PriceHead({
  symbol,
  asked,
  market,
  isNewest = false,
  since = null,
  facts,
}: Props): ReactNode {
  const isPhone = useMedia(PHONE);
  const stock = asked.data;
  if (stock === undefined) {
    return (
      <div className="price-head">
        <Skeleton height={32} />
      </div>
    );
  }
  const { words, isOld } = ageOf(stock, market);
  const age = (
    <>
      <span className={isOld ? 'instant stale' : 'instant'} data-tip={words}>
        {words}
      </span>
      {isNewest ? <FeedAge /> : null}
    </>
  );
  return (
    <div className="price-head">
      <div className="head-row">
        <h1>{symbol}</h1>
        <small className="company">
          <bdi>{stock.company_name}</bdi>
          {stock.simulated && !/simulated/i.test(stock.company_name ?? '') ? ' simulated' : ''}
        </small>
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
        {isPhone ? null : <Extended stock={stock} />}
        {stock.halted ? <strong className="halted">halted</strong> : null}
        <Bias stock={stock} since={since} />
        {typeof stock.price?.partial_feed === 'string' ? (
          <button
            type="button"
            className="badge partial"
            data-tip={`Prices of ${feedName(stock.price.partial_feed)} alone: each traded there, but high and low may lie inside those of the market, and the volume of one exchange is not that of the stock.`}
          >
            partial
          </button>
        ) : null}
        {isPhone ? null : age}
      </div>
      {facts === undefined && !isPhone ? null : (
        <div className="head-row head-facts">
          {isPhone ? <Extended stock={stock} /> : null}
          {isPhone && since !== null ? <span>{since}</span> : null}
          {facts}
          {isPhone ? age : null}
        </div>
      )}
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
  if (extended === null)
    return price?.official_close == null ? <Gap pct={price?.gap_pct} /> : <small>close</small>;
  if (extended.session === 'pre')
    return (
      <span className="extended">
        pre-market, close <Num value={price?.previous_close} shape="price" field="price.previous_close" />
      </span>
    );
  return (
    <span className="extended">
      <small>close</small> after hours{' '}
      <Num value={extended.price} shape="price" field="price.extended.price" />{' '}
      <Num value={extended.change_pct} shape="signed-percent" field="price.extended.change_pct" directed />
    </span>
  );
}

/** Where the session opened. */
function Gap({ pct }: { readonly pct: number | null | undefined }): ReactNode {
  if (pct == null) return null;
  return (
    <span className="gap">
      <small>gap</small> <Num value={pct} shape="signed-percent" field="price.gap_pct" directed />
    </span>
  );
}

const priceMissing = ({ source }: Stock): string =>
  source === 'delayed' ? 'No bar is 15 minutes old yet.' : 'No bar is in view.';

function Bias({ stock, since }: { readonly stock: Stock; readonly since: string | null }): ReactNode {
  const bias = stock.directional_bias;
  if (bias === null || bias === undefined) return null;
  const tone = bias.startsWith('bull') ? 'up' : bias.startsWith('bear') ? 'down' : 'neutral';
  const sign = tone === 'up' ? '▲' : tone === 'down' ? '▼' : '◆';
  return (
    <span
      className={`bias ${tone}`}
      data-tip={[
        `Side of the confluence scores, net ${stock.net_confluence ?? 'not known'}`,
        stock.regime_v5?.regime ? `Regime: ${inWords(stock.regime_v5.regime).toLowerCase()}` : '',
      ]
        .filter(Boolean)
        .join('\n')}
    >
      {sign} {bias}
      {since === null ? null : <small> {since}</small>}
    </span>
  );
}
