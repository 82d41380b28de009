import { onceFor } from '../base/once-for.ts';
import { instantText } from '../base/wire.ts';
import type { StockView } from '../market/stock-view.ts';

/** The instant of a view on the wire, which most blocks serve. */
export const asOfText = onceFor(({ asOf }: StockView): string => instantText(asOf));
