import type { ReactNode } from 'react';
import { type Draft, draftAlert } from './draft.ts';

interface Props {
  /** What the alert is of, for those who hear the page. */
  readonly of: string;
  readonly draft: () => Draft;
}

/** Opens the form of an alert where its subject is seen. */
export const AlertButton = ({ of, draft }: Props): ReactNode => (
  <button
    type="button"
    className="icon alert-button"
    aria-label={`Alert on ${of}`}
    data-tip={`Tell me when something happens to ${of}`}
    onClick={() => draftAlert(draft())}
  >
    ♩
  </button>
);
