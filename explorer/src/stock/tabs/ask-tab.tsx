import { useMutation, useQuery } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import { type ReactNode, useState } from 'react';
import { client } from '../../api/client.ts';
import type { AsOf } from '../../api/queries.ts';
import { Answered, Missing, Refused } from '../../ui/states.tsx';

const at = (asOf: AsOf) => (asOf === undefined ? {} : { as_of: asOf });
/** Drafts by symbol: a reader who leaves the tab finds his text again. */
const drafts = new Map<string, string>();

/** What an assistant gets to read about the stock, and a check of what it wrote. */
export function AskTab({ symbol, asOf }: { readonly symbol: string; readonly asOf: AsOf }): ReactNode {
  const [query, setQuery] = useState('');
  const [sent, setSent] = useState('');
  const context = useQuery({
    queryKey: ['chat', symbol, sent, asOf ?? 'live'],
    queryFn: ({ signal }) =>
      dataOf(
        client.GET('/api/graph/v1/chat/context', {
          params: {
            query: {
              page_type: 'stock_detail',
              symbol,
              ...(sent === '' ? {} : { query: sent }),
              ...at(asOf),
            },
          },
          signal,
        }),
      ),
  });
  return (
    <div className="tab-grid">
      <section className="panel" aria-label="Context">
        <h2>What an assistant reads</h2>
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
          {(data) => <ContextText context={data as unknown as Record<string, unknown>} />}
        </Answered>
      </section>
      <Verify symbol={symbol} />
    </div>
  );
}

/** The text of each section, and the facts that it cites as chips. */
function ContextText({ context }: { readonly context: Record<string, unknown> }): ReactNode {
  const sections = Object.entries(context).flatMap(([name, value]) =>
    textsOf(value).map((text) => [name, text] as const),
  );
  const facts = factsOf(context);
  if (sections.length === 0) return <Missing reason="Nothing is known to say." />;
  return (
    <div className="context">
      {sections.map(([name, text], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: texts have no other identity
        <p key={index}>
          <small>{name.replaceAll('_', ' ')}</small> {text}
        </p>
      ))}
      <ul className="chips" aria-label="Facts">
        {facts.map(({ id, value, unit, label }) => (
          <li key={id} data-tip={`${label}\n${id}`}>
            {label} <b>{`${value}`}</b> {unit}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface Fact {
  readonly id: string;
  readonly label: string;
  readonly value: unknown;
  readonly unit: string;
}

/** Sentences among the members of a section. */
function textsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    typeof member === 'string' && /^(summary|text|says|about|thesis)$/.test(name) ? [member] : [],
  );
}

function factsOf(context: Record<string, unknown>): Fact[] {
  const facts = (context.facts ?? []) as readonly Record<string, unknown>[];
  return facts.map((fact) => ({
    id: `${fact.id ?? fact.path ?? ''}`,
    label: `${fact.label ?? fact.name ?? fact.id ?? ''}`,
    value: fact.value,
    unit: `${fact.unit ?? ''}`,
  }));
}

/** Judges each number and date of a draft. */
function Verify({ symbol }: { readonly symbol: string }): ReactNode {
  const [text, setText] = useState(drafts.get(symbol) ?? '');
  const verify = useMutation({
    mutationFn: (draft: string) =>
      dataOf(
        client.POST('/api/graph/v1/chat/verify', {
          body: { page_type: 'stock_detail', symbol, text: draft } as never,
        }),
      ),
  });
  return (
    <section className="panel" aria-label="Verify">
      <h2>Check a draft</h2>
      <textarea
        aria-label="Draft"
        rows={6}
        placeholder="Paste what an assistant wrote: each number and date is judged against the facts."
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          drafts.set(symbol, target.value);
        }}
      />
      <button
        type="button"
        disabled={text.trim() === '' || verify.isPending}
        onClick={() => verify.mutate(text)}
      >
        {verify.isPending ? 'Checking …' : 'Check'}
      </button>
      {verify.error === null ? null : <Refused error={verify.error} onRetry={() => verify.mutate(text)} />}
      {verify.data === undefined ? null : (
        <ul className="claims">
          {verify.data.claims.map((claim) => (
            <li key={claim.start} className={claim.verdict}>
              <b>{text.slice(claim.start, claim.end)}</b> {claim.verdict}
              {claim.expected === null || claim.expected === undefined ? '' : `, expected ${claim.expected}`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
