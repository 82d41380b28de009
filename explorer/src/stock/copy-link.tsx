import type { ReactNode } from 'react';
import { minuteOf } from '../shared/instant.ts';
import { useSaid } from '../shared/ui/use-said.ts';

interface CopyLinkProps {
  readonly shownMs: number;
  /** Puts the minute into the address of this page, for a browser that lets no page copy. */
  readonly onPin: (asOf: string) => void;
}

/** Copies the address of the page with the minute that is shown: whoever opens it sees the same, also where it is live. */
export function CopyLink({ shownMs, onPin }: CopyLinkProps): ReactNode {
  const [said, say] = useSaid();
  const copy = async (): Promise<void> => {
    const link = new URL(location.href);
    link.searchParams.set('as_of', minuteOf(shownMs));
    try {
      await navigator.clipboard.writeText(link.href);
      say('copied');
    } catch {
      // Browsers let a page copy on HTTPS and on this machine alone.
      onPin(minuteOf(shownMs));
      say('now in the address');
    }
  };
  return (
    <button type="button" data-tip="Copy a link to this minute" onClick={() => void copy()}>
      <span aria-live="polite">{said ?? 'copy link'}</span>
    </button>
  );
}
