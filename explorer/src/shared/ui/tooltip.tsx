import { type ReactNode, useEffect, useState } from 'react';

/** One tooltip for the page: any element with `data-tip` shows its lines, beside it, on pointing at it, touching it or focusing it. */

interface Shown {
  readonly lines: readonly string[];
  readonly x: number;
  readonly y: number;
  readonly above: boolean;
}

const DELAY_MS = 150;
const ID = 'tooltip';

export function Tooltip(): ReactNode {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let timer = 0;
    let on: Element | null = null;
    const hide = (): void => {
      clearTimeout(timer);
      on?.removeAttribute('aria-describedby');
      on = null;
      setShown(null);
    };
    const showAt = (element: Element): void => {
      hide();
      on = element;
      timer = window.setTimeout(() => {
        const tip = element.getAttribute('data-tip') ?? '';
        const lines = tip.split('\n').filter((line) => line.trim() !== '');
        // What was pointed at may have opened meanwhile, and say it itself.
        if (lines.length === 0) return;
        const box = element.getBoundingClientRect();
        element.setAttribute('aria-describedby', ID);
        const above = box.top > innerHeight / 2;
        setShown({
          lines,
          x: Math.min(Math.max(box.left + box.width / 2, 150), innerWidth - 150),
          y: above ? innerHeight - box.top + 6 : box.bottom + 6,
          above,
        });
      }, DELAY_MS);
    };
    const show = ({ target }: Event): void => {
      const element = target instanceof Element ? target.closest('[data-tip]') : null;
      if (element === on) return;
      if (element === null) hide();
      else showAt(element);
    };
    // The browser moves what takes the focus into view.
    const follow = (): void => {
      if (on !== null && on === document.activeElement) showAt(on);
      else hide();
    };
    const hideByKey = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') hide();
    };
    const leaving = new AbortController();
    const { signal } = leaving;
    document.addEventListener('pointerover', show, { signal });
    document.addEventListener('focusin', show, { signal });
    document.addEventListener('focusout', hide, { signal });
    document.addEventListener('keydown', hideByKey, { signal });
    document.addEventListener('scroll', follow, { signal, capture: true });
    return () => {
      hide();
      leaving.abort();
    };
  }, []);
  if (shown === null) return null;
  const place = shown.above ? { bottom: shown.y } : { top: shown.y };
  return (
    <div id={ID} className="tooltip" role="tooltip" style={{ left: shown.x, ...place }}>
      {shown.lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
        <div key={at}>{line}</div>
      ))}
    </div>
  );
}
