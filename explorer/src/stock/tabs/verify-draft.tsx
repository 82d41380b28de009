import { useMutation } from '@tanstack/react-query';
import { dataOf } from '@tigraph/client';
import type { ReactNode } from 'react';
import { client } from '../../shared/api/client.ts';
import { useDraft } from '../../shared/ui/draft.ts';
import { Panel } from '../../shared/ui/panel.tsx';
import { Refused } from '../../shared/ui/states.tsx';

const VERDICTS: Readonly<Record<string, readonly [words: string, tone?: string]>> = {
  matches: ['matches', 'up'],
  derivable: ['follows from facts', 'up'],
  contradicts: ['contradicts', 'down'],
  unknown: ['nobody can say'],
};

interface Props {
  readonly symbol: string;
  readonly tradeDate: string | null;
}

/** Judges each number and date of a draft against the facts of the trade date. */
export function Verify({ symbol, tradeDate }: Props): ReactNode {
  const [text, setText] = useDraft(`verify.${symbol}`);
  const verify = useMutation({
    mutationFn: (draft: string) =>
      dataOf(
        client.POST('/api/graph/v1/chat/verify', {
          body: { symbol, text: draft, ...(tradeDate === null ? {} : { date: tradeDate }) },
        }),
      ),
  });
  return (
    <Panel label="Verify" title="Check a draft">
      <textarea
        aria-label="Draft"
        rows={6}
        placeholder="Paste what an assistant wrote: each number and date is judged against the facts."
        value={text}
        onChange={({ target }) => setText(target.value)}
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
        <ul className="claims" aria-live="polite">
          {verify.data.claims.length === 0 ? <li>No number and no date to judge.</li> : null}
          {verify.data.claims.map((claim) => (
            <li key={claim.start} className={VERDICTS[claim.verdict]?.[1]}>
              <b>{claim.text}</b> {VERDICTS[claim.verdict]?.[0] ?? claim.verdict}
              <small>{claim.reason ?? claim.fact?.label ?? ''}</small>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
