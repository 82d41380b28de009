import { useQuery } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import { type ReactNode, useState } from 'react';
import { client } from '../../shared/api/client.ts';
import type { ChatContext } from '../../shared/api/queries.ts';
import { type Instant, instantKey, instantSearch, wordsOf } from '../../shared/instant.ts';
import { Num } from '../../shared/ui/number.tsx';
import { Panel } from '../../shared/ui/panel.tsx';
import { Answered } from '../../shared/ui/states.tsx';
import { Table } from '../../shared/ui/table.tsx';
import { Verify } from './verify-draft.tsx';

interface Props {
  readonly symbol: string;
  readonly asOf: Instant;
  readonly tradeDate: string | null;
}

/** What an assistant gets to read about the stock, and a check of what it wrote. */
export function AskTab({ symbol, asOf, tradeDate }: Props): ReactNode {
  const [query, setQuery] = useState('');
  const [sent, setSent] = useState('');
  const context = useQuery({
    queryKey: ['chat', symbol, sent, instantKey(asOf)],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/graph/v1/chat/context', {
          params: {
            query: {
              page_type: 'stock_detail',
              symbol,
              ...(sent === '' ? {} : { query: sent }),
              ...instantSearch(asOf),
            },
          },
          signal,
        }),
      ),
  });
  return (
    <div className="tab-grid">
      <Panel
        label="Context"
        className="double"
        title="What an assistant reads"
        small="sentences from the facts, each number cited"
      >
        <form
          className="ask"
          onSubmit={(event) => {
            event.preventDefault();
            setSent(query.trim());
          }}
        >
          <input
            aria-label="Question"
            placeholder="What the answer should be about"
            value={query}
            onChange={({ target }) => setQuery(target.value)}
          />
          <button type="submit">Ask</button>
        </form>
        <Answered asked={context} rows={10}>
          {(data) => <Context context={data} />}
        </Answered>
      </Panel>
      <Verify symbol={symbol} tradeDate={tradeDate} />
    </div>
  );
}

type Fact = ChatContext['facts'][number];
type Point = ChatContext['debate_summary']['bull']['points'][number];

/** Both cases and what would change them, with their facts as chips; then what history and the budget say. */
function Context({ context }: { readonly context: ChatContext }): ReactNode {
  const facts = new Map(context.facts.map((fact) => [fact.id, fact]));
  const { bull, bear, what_would_change: change } = context.debate_summary;
  return (
    <div className="context">
      <Case title="Bull" tone="up" points={bull.points} facts={facts} />
      <Case title="Bear" tone="down" points={bear.points} facts={facts} />
      <Case title="What would change it" points={[...change.bull, ...change.bear]} facts={facts} />
      <Analogs context={context} />
      <p className="note">
        About {context.budget.estimated_tokens} of {context.budget.max_tokens} tokens
        {context.budget.dropped.length === 0
          ? ''
          : `; left out: ${context.budget.dropped.map(({ section, items }) => `${items} of ${section.replaceAll('_', ' ')}`).join(', ')}`}
        .
      </p>
    </div>
  );
}

interface CaseProps {
  readonly title: string;
  readonly tone?: 'up' | 'down';
  readonly points: readonly Point[];
  readonly facts: ReadonlyMap<string, Fact>;
}

function Case({ title, tone, points, facts }: CaseProps): ReactNode {
  if (points.length === 0) return null;
  return (
    <>
      <h3 className={tone}>{title}</h3>
      <ul>
        {points.map((point) => (
          <li key={`${point.rule} ${point.text}`}>
            {point.text}
            <span className="chips">
              {point.facts.flatMap((id) => {
                const fact = facts.get(id);
                return fact === undefined ? [] : [<Chip key={id} fact={fact} />];
              })}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Chip({ fact }: { readonly fact: Fact }): ReactNode {
  const known = Date.parse(fact.instant);
  return (
    <span
      className="chip"
      data-tip={`${fact.label}: ${fact.value} ${fact.unit ?? ''}\n${fact.id}\nknown ${wordsOf(known)} · ${fact.source}`}
    >
      {fact.label} <b>{`${fact.value}`}</b>
    </span>
  );
}

/** Days that were alike, and what followed. */
function Analogs({ context }: { readonly context: ChatContext }): ReactNode {
  const analogs = context.historical_analogs as readonly Record<string, string | number | null>[];
  if (analogs.length === 0) return null;
  const value = (one: Record<string, string | number | null>, name: string): number | null =>
    typeof one[name] === 'number' ? one[name] : null;
  return (
    <>
      <h3>Days that were alike</h3>
      <Table heads={['stock and date', 'likeness', '+1 day %', '+5 days %', '+20 days %']}>
        {analogs.map((one) => (
          <tr key={`${one.symbol} ${one.trade_date}`}>
            <th scope="row">
              {one.symbol} {one.trade_date}
            </th>
            <td>
              <Num value={value(one, 'similarity')} shape="ratio" label="Likeness" unit="of 1" />
            </td>
            {(['return_1', 'return_5', 'return_20'] as const).map((name) => (
              <td key={name}>
                <Num value={value(one, name)} shape="ratio" label="Return that followed" unit="%" directed />
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </>
  );
}
