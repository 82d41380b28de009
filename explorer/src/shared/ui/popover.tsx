import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  readonly className: string;
  readonly summary: ReactNode;
  readonly children: ReactNode;
  readonly onToggle?: (isOpen: boolean) => void;
}

/** What opens over a page by a button, and closes by it, by Escape and by a press anywhere else. */
export function Popover({ className, summary, children, onToggle }: Props): ReactNode {
  const element = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const details = element.current!;
    const onPress = ({ target }: PointerEvent): void => {
      if (!details.contains(target as Node)) details.open = false;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || !details.open) return;
      details.open = false;
      details.querySelector('summary')!.focus();
      // It closes what is on top, and nothing below.
      event.stopPropagation();
    };
    // Before the page itself, on which keys mean other things.
    const leaving = new AbortController();
    const options = { capture: true, signal: leaving.signal };
    addEventListener('pointerdown', onPress, options);
    addEventListener('keydown', onKey, options);
    return () => leaving.abort();
  }, []);
  return (
    <details
      className={className}
      ref={element}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary>{summary}</summary>
      {children}
    </details>
  );
}
