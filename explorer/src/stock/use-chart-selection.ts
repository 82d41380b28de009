import { useCallback, useRef, useState } from 'react';
import type { LabelBox } from '../shared/chart/pane.ts';
import type { Pointed } from '../shared/chart/price-chart.ts';
import { useSelection } from '../shared/selection.tsx';

/** A label of levels that is open: while it is pointed at, or kept by a click. */
export interface OpenLabel {
  readonly box: LabelBox;
  readonly isKept: boolean;
}

/** What the pointer over a chart selects: the bar under it for the legend, levels or an event for the whole page. */
export function useChartSelection() {
  const { names, point, keep, letGo } = useSelection();
  const [pointed, setPointed] = useState<number | null>(null);
  const [label, setLabel] = useState<OpenLabel | null>(null);
  const last = useRef('');
  const onPoint = useCallback(
    ({ bar, levels, event, label: box }: Pointed) => {
      setPointed(bar);
      const names = namesOf(levels, event);
      if (names.join() === last.current) return;
      last.current = names.join();
      point(names.length === 0 ? null : names);
      setLabel((open) => (open?.isKept ? open : box === null ? null : { box, isKept: false }));
    },
    [point],
  );
  const onClick = useCallback(
    ({ levels, event, label: box }: Pointed) => {
      const names = namesOf(levels, event);
      if (names.length === 0) letGo();
      else keep(names);
      setLabel(box === null ? null : { box, isKept: true });
    },
    [keep, letGo],
  );
  const close = useCallback(() => setLabel(null), []);
  return { names, pointed, label, close, onPoint, onClick };
}

const namesOf = (levels: Pointed['levels'], event: string | null): readonly string[] =>
  levels.length > 0 ? [...new Set(levels.map(({ name }) => name))] : event === null ? [] : [event];
