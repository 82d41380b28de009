import { compression as compressionAt } from '../analysis/compression.ts';
import { onceFor } from '../base/once-for.ts';
import * as wire from '../base/schema.ts';
import { finiteOrNull } from '../base/wire.ts';
import { nestedBlock } from './block.ts';
import { technical } from './technical.ts';

const Compression = wire.record(
  'Compression',
  'Whether the range of the stock contracts.',
  {
    is_nr7: wire.flag('Narrowest range of last 7 days, as of the last completed session.'),
    is_inside_day: wire.flag('Range inside prior day, as of the last completed session.'),
    atr_compression_ratio: wire.nullableNumber('Legacy ATR(3)/ATR(14).'),
    range_vs_atr_14: wire.nullableNumber("Today's range / daily ATR(14); replaces the legacy ratio."),
    vcp_contraction_count: wire.withDefault(
      wire.integer(
        'Number of contracting pivot ranges in an uptrend; 0 means computed, none. The default also stands while fewer than 170 sessions are known.',
      ),
      0,
    ),
  },
  [],
);

const compressionOf = onceFor(compressionAt);

/** Of completed sessions (a running range is narrow all morning) but for `range_vs_atr_14`; null without one. */
export const compression = nestedBlock({
  name: 'compression',
  ofBars: true,
  schema: Compression,
  reads: [technical],
  derive({ daily }, known) {
    if (daily.close.length === 0) return null;
    const { isNr7, isInsideDay, atrCompressionRatio, vcpContractionCount } = compressionOf(daily);
    return {
      is_nr7: isNr7,
      is_inside_day: isInsideDay,
      atr_compression_ratio: finiteOrNull(atrCompressionRatio),
      range_vs_atr_14: known(technical).nested?.range_vs_atr_14 ?? null,
      vcp_contraction_count: finiteOrNull(vcpContractionCount) ?? 0,
    };
  },
});
