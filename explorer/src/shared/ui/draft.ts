import { useState } from 'react';

const KEY = 'tigraph.draft.';

function stored(name: string): string | null {
  try {
    return sessionStorage.getItem(KEY + name);
  } catch {
    return null;
  }
}

/** Text that the reader types, kept for this tab of the browser: neither a failure nor a reload loses it. */
export function useDraft(name: string, initial = ''): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => ({ name, value: stored(name) ?? initial }));
  const value = text.name === name ? text.value : (stored(name) ?? initial);
  const write = (next: string): void => {
    setText({ name, value: next });
    try {
      sessionStorage.setItem(KEY + name, next);
    } catch {
      // Without storage a draft lives as long as its page.
    }
  };
  return [value, write];
}
