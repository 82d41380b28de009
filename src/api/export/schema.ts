import type { Static } from 'typebox';
import { asOfParameter, stockSymbol } from '../../base/parameters.ts';
import * as wire from '../../base/schema.ts';
import { Type } from '../../base/type.ts';
import { BAR_INTERVALS } from '../../derive/bars.ts';
import { SIMULATED } from '../../derive/compose.ts';
import { EXPORT_FORMATS } from '../../export/column.ts';
import { marketParameter, optional, parameters } from '../answers/parameters.ts';
import { EXPORT_KINDS } from './kinds.ts';

const SYMBOLS_MAX = 10_000;
export const EXPORT_BODY_BYTES = 524_288;

export const ExportQuery = parameters({ ...optional({ as_of: asOfParameter }) });

const date = (description: string) =>
  Type.String({ pattern: '^(19|20)\\d{2}-\\d{2}-\\d{2}$', existingDate: true, description });

export const ExportBody = Type.Object(
  {
    kind: wire.oneOf(
      EXPORT_KINDS.map(({ name }) => name),
      `What a row is. ${EXPORT_KINDS.map(({ name, says }) => `\`${name}\`: ${says}`).join('. ')}.`,
    ),
    ...optional({
      from: date('The first session. Default: the first with data.'),
      to: date('The last session, included. Default: the newest.'),
      symbols: Type.Array(stockSymbol, {
        minItems: 1,
        maxItems: SYMBOLS_MAX,
        description: 'Ticker symbols. Default: every stock of the market that the caller may see.',
      }),
      market: marketParameter,
      fields: Type.Array(Type.String({ maxLength: 200 }), {
        minItems: 1,
        maxItems: 1_000,
        description:
          'Names of columns. Default: all. Trade date and symbol come in any case; the order is that of the columns of the plan.',
      }),
      format: wire.oneOf(
        EXPORT_FORMATS,
        'Of the files; `arrow` is the file format of Arrow IPC. Default: parquet.',
      ),
      interval: wire.oneOf(BAR_INTERVALS, 'Length of the bars. Default: 1m.'),
      session: wire.oneOf(
        ['regular', 'all'],
        'Intraday bars of regular trading, or of 04:00 to 20:00 New York. Default: regular.',
      ),
      adjusted: wire.flag('Whether splits up to `as_of` are taken into account in bars. Default: as traded.'),
      part: Type.String({
        maxLength: 100,
        description:
          '`path` of a part: the answer is the bytes of that file. Without it the answer is the plan.',
      }),
    }),
  },
  { title: 'ExportRequest', additionalProperties: false },
);
export type ExportBody = Static<typeof ExportBody>;

export const ExportAnswer = wire.record('ExportPlan', 'What an export is, and its files.', {
  kind: wire.string('What a row is.'),
  format: wire.oneOf(EXPORT_FORMATS, 'Of the files.'),
  schema_version: wire.integer('Another one when the form of the files changes.', wire.NOT_NEGATIVE),
  as_of: wire.dateTime('Nothing counts that became known later; with it each file can be asked for again.'),
  source: wire.oneOf(['realtime_sip', 'delayed', 'byok'], 'The feed of the caller.'),
  simulated: SIMULATED,
  formula_version: wire.integer('Version of the formulas of derived values.', wire.NOT_NEGATIVE),
  from: wire.date('The first session with data.'),
  to: wire.date('The last one.'),
  symbols: wire.integer('How many stocks have data.', wire.NOT_NEGATIVE),
  columns: wire.listOf(
    wire.record('ExportColumn', 'A column of the files.', {
      name: wire.string('Its name.'),
      type: wire.oneOf(['number', 'integer', 'boolean', 'text', 'date', 'instant'], 'Of its values.'),
      unit: wire.nullableString('`ratio` for a plain number; null for what is no number.'),
      description: wire.string('What it is.'),
    }),
    'In the order of the files.',
  ),
  parts: wire.listOf(
    wire.record('ExportPart', 'A file.', {
      path: wire.string('Its place below the folder of the export, and its name in `part`.'),
      from: wire.date('Its first session.'),
      to: wire.date('Its last one.'),
    }),
    'Oldest first.',
  ),
});
export type ExportAnswer = Readonly<Static<typeof ExportAnswer>>;
