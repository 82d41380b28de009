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
    <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true">
      <path
        d="M6 1a3 3 0 0 0-3 3v2.5L2 8.5h8l-1-2V4a3 3 0 0 0-3-3Zm-1.2 8.5a1.2 1.2 0 0 0 2.4 0Z"
        fill="currentColor"
      />
    </svg>
  </button>
);
