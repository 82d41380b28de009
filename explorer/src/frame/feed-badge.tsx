import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { marketQuery, statusQuery } from '../api/queries.ts';

/** Whether the data is simulated, delayed or real-time, and whether a feed is late. */
export function FeedBadge(): ReactNode {
  const market = useQuery(marketQuery(undefined)).data;
  const status = useQuery(statusQuery).data;
  if (market === undefined) return null;
  const minutes = status?.delay_minutes ?? 0;
  const [word, tip] =
    market.source === 'delayed' && minutes === 0 && status !== undefined
      ? ['no delay', 'This service shows everybody the newest minute, as a replay does.']
      : market.source === 'delayed'
        ? [
            status === undefined ? 'delayed' : `delayed ${minutes} min`,
            'A token whose grant has the real-time feed removes the delay.',
          ]
        : market.source === 'realtime_sip'
          ? ['real-time', 'Data of the real-time feed.']
          : ['own feed', 'Data of your own feed.'];
  const late = status?.feeds.find(({ feed }) => feed === 'minute_bars')?.state === 'late';
  return (
    <>
      {status?.simulated === true ? (
        <span className="badge" data-tip="A made-up market. `npm run tigraph -- import` brings real data.">
          simulated
        </span>
      ) : null}
      <span className={late ? 'badge late' : 'badge'} data-tip={late ? `Minute bars are late.\n${tip}` : tip}>
        {late ? `${word}, late` : word}
      </span>
    </>
  );
}
