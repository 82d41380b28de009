import { useCallback, useRef, useState } from 'react';
import type { Pointed } from '../shared/chart/price-chart.ts';
import { useSelection } from '../shared/selection.tsx';

/** What the pointer over a chart selects: the bar under it for the legend, a level or an event for the whole page. */
export function useChartSelection() {
  const { names, point, keep, letGo } = useSelection();
  const [pointed, setPointed] = useState<number | null>(null);
  const last = useRef<string | null>(null);
  const onPoint = useCallback(
    ({ bar, level, event }: Pointed) => {
      setPointed(bar);
      const name = level ?? event;
      if (name === last.current) return;
      last.current = name;
      point(name === null ? null : [name]);
    },
    [point],
  );
  const onClick = useCallback(
    ({ level, event }: Pointed) => {
      const name = level ?? event;
      if (name === null) letGo();
      else keep([name]);
    },
    [keep, letGo],
  );
  return { names, pointed, onPoint, onClick };
}
