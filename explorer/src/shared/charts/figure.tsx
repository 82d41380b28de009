import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';

interface Props {
  readonly label: string;
  readonly height: number;
  readonly className?: string;
  /** A group where it holds buttons: of an image nothing within is reached. */
  readonly role?: 'img' | 'group';
  /** Draws at the width of the place, so that text stays legible at any size. */
  readonly children: (width: number) => ReactNode;
}

/** An SVG figure as wide as its place. */
export function Figure({ label, height, className = '', role = 'img', children }: Props): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(element);
    setWidth(Math.floor(element.clientWidth));
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={box} style={{ height }}>
      {width === 0 ? null : (
        <svg className={`figure ${className}`} width={width} height={height} role={role} aria-label={label}>
          {children(width)}
        </svg>
      )}
    </div>
  );
}
