import { type ReactNode, useState } from 'react';
import { useSaid } from '../shared/ui/use-said.ts';

interface Props {
  readonly words: string;
  readonly tip: string;
  readonly textOf: () => Promise<string> | string;
}

/** Copies a text; a browser that lets no page copy shows it. */
export function CopyButton({ words, tip, textOf }: Props): ReactNode {
  const [said, say] = useSaid();
  const [text, show] = useState<string | null>(null);
  const copy = async (): Promise<void> => {
    let copied: string;
    try {
      copied = await textOf();
    } catch {
      say('no answer');
      return;
    }
    try {
      await navigator.clipboard.writeText(copied);
      say('copied');
    } catch {
      // Browsers let a page copy on HTTPS and on this machine alone.
      show(copied);
    }
  };
  return (
    <>
      <button type="button" data-tip={tip} onClick={() => void copy()}>
        <span aria-live="polite">{said ?? words}</span>
      </button>
      {text === null ? null : <textarea className="copied" aria-label={tip} readOnly rows={8} value={text} />}
    </>
  );
}
