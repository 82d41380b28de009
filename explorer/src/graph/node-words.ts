import { inWords, labelOf } from '../shared/levels.ts';
import { formatPrice } from '../shared/ui/number.tsx';
import type { GraphNode } from './graph-search.ts';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** What a node is called in the picture. */
export function nameOf({ label, key, props }: GraphNode): string {
  switch (label) {
    case 'Level':
      return `${labelOf(text(props.name))} ${typeof props.price === 'number' ? formatPrice(props.price) : ''}`;
    case 'Pattern':
    case 'PriceEvent':
      return inWords(text(props.type));
    case 'StockDay':
      return `${text(props.symbol)} ${text(props.trade_date)}`;
    case 'Theme':
      return inWords(text(props.theme).replaceAll('-', '_'));
    default:
      return text(props.headline) || text(props.title) || text(props.name) || key;
  }
}
