import { Readable } from 'node:stream';
import { NEVER } from '../../base/abortable.ts';
import { callerLeft } from '../../base/caller.ts';
import { ValidationRefusal } from '../../base/errors.ts';
import { unknownWord } from '../answers/refusals.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendUncached, VARY } from '../http/answer.ts';
import { callerAt } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import { describePlan, planExport } from './plan-export.ts';
import { EXPORT_BODY_BYTES, ExportAnswer, ExportBody, ExportQuery } from './schema.ts';
import { writePart } from './write-part.ts';

const BYTES = 'application/octet-stream';

export const exportRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    method: 'POST',
    onlyReads: true,
    url: '/api/graph/v1/export',
    operationId: 'exportColumns',
    tag: 'stocks',
    summary: 'Columns as files',
    description:
      'Without `part` the plan of an export: its columns and its files. With `part` and the `as_of` of the plan the bytes of one file, as they are made: Parquet, Arrow or CSV. A connection that ends before the answer does has failed; that part is asked for again. The same part as of the same instant has the same bytes.',
    scope: 'export:read',
    querystring: ExportQuery,
    body: ExportBody,
    bodyLimitBytes: EXPORT_BODY_BYTES,
    answer: ExportAnswer,
    alsoServed: BYTES,
    example: ({ symbols, date }) =>
      date === null
        ? null
        : {
            body: {
              kind: 'facts',
              symbols,
              fields: ['last_price', 'technical.rsi_14'],
              from: date,
              to: date,
            },
          },
    refusals: [401, 403, 429, 503, 504],
    async handler(request, reply) {
      const { part, ...question } = request.body as ExportBody;
      const signal = callerLeft() ?? NEVER;
      const plan = await planExport(context, question, callerAt(request, context), signal);
      if (part === undefined) return sendUncached(reply, JSON.stringify(describePlan(plan)));
      const planned = plan.parts.find(({ path }) => path === part);
      if (planned === undefined) {
        const paths = plan.parts.map(({ path }) => path);
        const sentence = `The export has no part '${part}'`;
        const hint = 'the same request without `part` lists them';
        const fault = unknownWord('part', part, paths, sentence, { hint });
        throw new ValidationRefusal([{ ...fault, loc: ['body', 'part'] }]);
      }
      return reply
        .header('content-type', BYTES)
        .header('cache-control', 'no-store')
        .header('vary', VARY)
        .send(Readable.from(writePart(context, plan, planned, signal), { objectMode: false }));
    },
  },
];
