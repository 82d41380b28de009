import type { ReactNode } from 'react';
import type { Stock } from '../../shared/api/queries.ts';
import { wordsOf } from '../../shared/instant.ts';
import { inWords } from '../../shared/levels.ts';
import { selects, useSelection } from '../../shared/selection.tsx';
import { ABSENT } from '../../shared/sentences.ts';
import { Direction } from '../../shared/ui/direction.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Missing } from '../../shared/ui/states.tsx';

const TONES: Readonly<Record<string, string>> = { positive: 'up', negative: 'down' };

/** News and price events as they were known, newest first; pointing at one marks it on the chart. */
export function NewsTab({ stock }: { readonly stock: Stock }): ReactNode {
  const selection = useSelection();
  const items = stock.news?.items ?? [];
  const events = stock.price_events ?? [];
  return (
    <div className="tab-grid">
      <Panel label="News">
        {items.length === 0 ? (
          <Missing reason={ABSENT.news} height={120} />
        ) : (
          <ul className="news">
            {items.map((item) => (
              <li key={item.id} {...selects(selection, [`news:${item.id}`])}>
                <p className="headline">
                  <i className={`tone ${TONES[item.sentiment ?? ''] ?? 'quiet'}`} aria-hidden="true" />
                  <bdi>{item.headline}</bdi>
                </p>
                <small>
                  <bdi>{item.source}</bdi> · {wordsOf(Date.parse(item.published_at))} ·{' '}
                  {item.sentiment ?? 'not rated'}
                </small>
                {item.summary === null ? null : (
                  <p>
                    <bdi>{item.summary}</bdi>
                  </p>
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Panel label="Price events">
        {events.length === 0 ? (
          <Missing reason={ABSENT.events} height={120} />
        ) : (
          <ul className="events">
            {events.map((event) => (
              <li
                key={`${event.type}@${event.known_at}`}
                {...selects(selection, [`event:${event.type}@${event.known_at}`])}
              >
                <Direction of={event.direction} /> {inWords(event.type)} <small>{event.date}</small>
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
