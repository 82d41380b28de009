import type { Static } from 'typebox';
import type { Caller } from '../access/viewer.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendUncached } from '../http/answer.ts';
import { callerAt, callerOf } from '../http/authentication.ts';
import type { RouteEntry } from '../http/route-entry.ts';
import type { SentRule } from './check-rule.ts';
import {
  deleteAlert,
  type FiringsRequest,
  getAlert,
  listAlerts,
  listFirings,
  previewOf,
  putAlert,
  type SentAlert,
} from './keep-alerts.ts';
import {
  deleteReceiver,
  listReceivers,
  putReceiver,
  type SentReceiver,
  testReceiver,
} from './keep-receivers.ts';
import { listKinds } from './list-kinds.ts';
import * as schema from './schema.ts';

const URL_OF_ALERTS = '/api/graph/v1/alerts';
const ID = '0b0d8f5e-6b0c-4c43-9a39-2f5f0a4b8a11';
const RULE = {
  kind: 'crosses',
  parameters: { field: 'last_price', direction: 'above', other: 'levels.vwap' },
};
const madeUp = (symbols: readonly string[]) => ({
  id: ID,
  sentence: `${symbols.join(', ')}, when price crosses above VWAP, once a day`,
  ...RULE,
  symbols,
  hours: 'regular',
  repeat: 'daily',
  receivers: null,
  simulated: false,
  state: 'armed',
  fired: 0,
  last_fired_at: null,
  notes: [],
  created_at: '2026-01-05T12:00:00.000Z',
  changed_at: '2026-01-05T12:00:00.000Z',
});
const kept: RouteEntry['example'] = ({ symbols }) => ({
  body: { ...RULE, symbols: symbols.slice(0, 1) },
  answer: madeUp(symbols.slice(0, 1)),
});

const RECEIVER = {
  id: ID,
  channel: 'webhook',
  address: 'https://alerts.example/hook',
  secret: 'whsec_c2VjcmV0IG9mIGFuIGV4YW1wbGU=',
  quiet: null,
  per_day: 100,
  failures: 0,
  disabled: null,
  created_at: '2026-01-05T12:00:00.000Z',
};

/** What a request asks. */
interface Asked {
  readonly id: string;
  readonly body: unknown;
  readonly query: unknown;
  readonly caller: Caller;
}

/** A route of alerts: whose address ends with `:id` names one; what it answers no cache may store. */
interface AlertRoute
  extends Pick<RouteEntry, 'method' | 'operationId' | 'summary' | 'description' | 'answer'>,
    Partial<Pick<RouteEntry, 'querystring' | 'body' | 'example' | 'onlyReads'>> {
  /** Behind that of the alerts. */
  readonly url: '' | `/${string}`;
  /** Besides those of all. */
  readonly refusals?: readonly number[];
  readonly answers: (asked: Asked) => unknown;
}

const REFUSALS = [401, 403, 429, 503];
const OF_RULES = [404, 410, 504];

const routeOf = (context: AppContext, { url, answers, refusals = [], ...own }: AlertRoute): RouteEntry => {
  const isOne = url.endsWith('/:id');
  return {
    example: () => ({}),
    ...own,
    tag: 'alerts',
    scope: own.method === 'GET' || own.onlyReads ? 'stock:read' : 'alerts:write',
    url: URL_OF_ALERTS + url,
    ...(isOne && { params: schema.IdPath }),
    ...(own.body && { bodyLimitBytes: schema.ALERT_BODY_BYTES }),
    refusals: [...new Set([...REFUSALS, ...(isOne ? [404] : []), ...refusals])].sort(),
    handler: async (request, reply) => {
      const { id } = request.params as Static<typeof schema.IdPath>;
      const caller = own.querystring === undefined ? callerOf(request) : callerAt(request, context);
      const { body, query } = request;
      return sendUncached(reply, JSON.stringify(await answers({ id, body, query, caller })));
    },
  };
};

export const alertRoutes = (context: AppContext): readonly RouteEntry[] =>
  routesOf(context).map((route) => routeOf(context, route));

const routesOf = (context: AppContext): readonly AlertRoute[] => [
  {
    method: 'GET',
    url: '',
    operationId: 'listAlerts',
    summary: 'Your alerts',
    description:
      'The rules of the client behind the token, or those of all callers without one; with `as_of` as they were.',
    querystring: schema.AsOfQuery,
    answer: schema.AlertsAnswer,
    answers: async ({ caller }) => ({ alerts: await listAlerts(context, caller) }),
  },
  {
    method: 'GET',
    url: '/kinds',
    operationId: 'listAlertKinds',
    summary: 'What alerts wait for',
    description: 'Each kind with its parameters, an example and the words that ask for it.',
    answer: schema.KindsAnswer,
    answers: () => ({ kinds: listKinds() }),
  },
  {
    method: 'GET',
    url: '/firings',
    operationId: 'listAlertFirings',
    summary: 'What your alerts fired',
    description: 'Newest first, with what became of each on its way to its receivers.',
    querystring: schema.FiringsQuery,
    answer: schema.FiringsAnswer,
    answers: ({ query, caller }) => listFirings(context, query as FiringsRequest, caller),
  },
  {
    method: 'POST',
    url: '/preview',
    onlyReads: true,
    operationId: 'previewAlert',
    summary: 'What a rule would have fired',
    description:
      'Judges a rule over the newest 20 sessions by what judges it live: when it would have fired, and whether it can at all. Of several stocks the first ten are judged, over fewer sessions.',
    querystring: schema.AsOfQuery,
    body: schema.PreviewBody,
    answer: schema.PreviewAnswer,
    example: ({ symbols }) => ({ body: { ...RULE, symbols: symbols.slice(0, 1) } }),
    refusals: OF_RULES,
    answers: ({ body, caller }) => previewOf(context, body as SentRule, caller),
  },
  {
    method: 'POST',
    url: '',
    operationId: 'addAlert',
    summary: 'Make an alert',
    description:
      'Keeps a rule that is judged with each minute from now on. One that can never fire, or fires nearly each minute, is refused by a preview unless it is sent with `anyway`.',
    body: schema.AlertBody,
    answer: schema.AlertAnswer,
    example: kept,
    refusals: [...OF_RULES, 409],
    answers: ({ body, caller }) => putAlert(context, null, body as SentAlert, caller),
  },
  {
    method: 'GET',
    url: '/receivers',
    operationId: 'listAlertReceivers',
    summary: 'Where your alerts go',
    description:
      'Webhooks, mailboxes and browsers of the client behind the token, with why one is sent nothing any more.',
    answer: schema.ReceiversAnswer,
    answers: ({ caller }) => listReceivers(context, caller),
  },
  {
    method: 'PUT',
    url: '/receivers/:id',
    operationId: 'putAlertReceiver',
    summary: 'Add or change where alerts go',
    description:
      'A webhook gets each alert signed as Standard Webhooks say, a browser as Web Push; at least once, under the identifier of the firing. Private addresses are refused unless the operator allows them.',
    body: schema.ReceiverBody,
    answer: schema.ReceiverAnswer,
    example: () => ({ body: { channel: 'webhook', address: RECEIVER.address }, answer: RECEIVER }),
    refusals: [409],
    answers: ({ id, body, caller }) => putReceiver(context, id, body as SentReceiver, caller),
  },
  {
    method: 'POST',
    url: '/receivers/:id',
    operationId: 'testAlertReceiver',
    summary: 'Send a test',
    description:
      'At once, whatever its hours and budget; one that was disabled is sent to again if it arrives.',
    answer: schema.TestedAnswer,
    example: () => ({ answer: { delivered: true, says: 'It arrived.' } }),
    answers: ({ id, caller }) => testReceiver(context, id, caller),
  },
  {
    method: 'DELETE',
    url: '/receivers/:id',
    operationId: 'deleteAlertReceiver',
    summary: 'Delete where alerts go',
    description: 'What waits for it is not sent.',
    answer: schema.RemovedAlert,
    example: () => ({ answer: { id: ID } }),
    answers: ({ id, caller }) => deleteReceiver(context, id, caller),
  },
  {
    method: 'GET',
    url: '/:id',
    operationId: 'getAlert',
    summary: 'An alert',
    description: 'The rule, whether it is judged, and when it last fired.',
    querystring: schema.AsOfQuery,
    answer: schema.AlertAnswer,
    example: ({ symbols }) => ({ answer: madeUp(symbols) }),
    answers: ({ id, caller }) => getAlert(context, id, caller),
  },
  {
    method: 'PUT',
    url: '/:id',
    operationId: 'putAlert',
    summary: 'Change or pause an alert',
    description:
      'Keeps a rule in place of what it was; it begins anew with what its caller has not seen yet.',
    body: schema.AlertBody,
    answer: schema.AlertAnswer,
    example: kept,
    refusals: [...OF_RULES, 409],
    answers: ({ id, body, caller }) => putAlert(context, id, body as SentAlert, caller),
  },
  {
    method: 'DELETE',
    url: '/:id',
    operationId: 'deleteAlert',
    summary: 'Delete an alert',
    description: 'The rule is gone; what it fired stays.',
    answer: schema.RemovedAlert,
    example: () => ({ answer: { id: ID } }),
    answers: ({ id, caller }) => deleteAlert(context, id, caller),
  },
];
