import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { sessionsOld } from '../shared/age.ts';
import { type MarketContext, marketQuery, statusQuery } from '../shared/api/queries.ts';

/** Whether the market is simulated, the data delayed or real-time, whether a feed is late, and how old the newest session is. */
export function FeedBadge(): ReactNode {
  const market = useQuery(marketQuery(undefined)).data;
  const status = useQuery(statusQuery).data;
  if (market === undefined) return <div className="badges" />;
  const [word, tip] = badgeOf(market.source, status?.delay_minutes);
  const isOld = market.sessions_behind > 0;
  // Of data that are sessions old nobody waits for a minute.
  const late = !isOld && status?.feeds.find(({ feed }) => feed === 'minute_bars')?.state === 'late';
  return (
    <div className="badges">
      {market.simulated ? (
        <button
          type="button"
          className="badge simulated"
          data-tip="A made-up market. Bring your own files on the page Data."
        >
          simulated
        </button>
      ) : null}
      <button
        type="button"
        className={late ? 'badge late' : 'badge'}
        data-tip={late ? `Minute bars are late.\n${tip}` : tip}
      >
        {late ? `${word}, late` : word}
      </button>
      {isOld ? (
        <button
          type="button"
          className="badge old"
          data-tip={`The newest session is ${market.trade_date}; the market has completed ${market.sessions_behind} since.`}
        >
          <span className="more">{market.trade_date}, </span>
          {sessionsOld(market.sessions_behind)}
        </button>
      ) : null}
    </div>
  );
}

/** The word of a feed and what it means; the delay is unknown until the status has come. */
function badgeOf(
  source: MarketContext['source'],
  delayMinutes: number | undefined,
): readonly [string, string] {
  if (source === 'realtime_sip') return ['real-time', 'Data of the real-time feed.'];
  if (source !== 'delayed') return ['own feed', 'Data of your own feed.'];
  if (delayMinutes === 0) {
    return ['no delay', 'This service shows everybody the newest minute, as a replay does.'];
  }
  const delay = delayMinutes === undefined ? '' : ` ${delayMinutes} min`;
  return [`delayed${delay}`, 'A token whose grant has the real-time feed removes the delay.'];
}
