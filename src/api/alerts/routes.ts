import type { Static } from 'typebox';
import { ALERT_KINDS } from '../../alerts/kinds/index.ts';
import type { AppContext } from '../context/app-context.ts';
import { sendJson, sendUncached } from '../http/answer.ts';
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
import {
  ALERT_BODY_BYTES,
  AlertAnswer,
  AlertBody,
  AlertPath,
  AlertsAnswer,
  AsOfQuery,
  FiringsAnswer,
  FiringsQuery,
  KindsAnswer,
  PreviewAnswer,
  PreviewBody,
  ReceiverAnswer,
  ReceiverBody,
  ReceiverPath,
  ReceiversAnswer,
  RemovedAlert,
  TestedAnswer,
} from './schema.ts';

const URL_OF_ALERTS = '/api/graph/v1/alerts';
const URL_OF_ONE = `${URL_OF_ALERTS}/:id`;
const URL_OF_RECEIVERS = `${URL_OF_ALERTS}/receivers`;

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

const idIn = ({ params }: { readonly params: unknown }): string => (params as Static<typeof AlertPath>).id;

const READ = { tag: 'alerts', scope: 'stock:read' } as const;
const WRITE = { tag: 'alerts', scope: 'alerts:write' } as const;

export const alertRoutes = (context: AppContext): readonly RouteEntry[] => [
  {
    ...READ,
    method: 'GET',
    url: URL_OF_ALERTS,
    operationId: 'listAlerts',
    summary: 'Your alerts',
    description:
      'The rules of the client behind the token, or those of all callers without one; with `as_of` as they were.',
    querystring: AsOfQuery,
    answer: AlertsAnswer,
    example: () => ({}),
    refusals: [401, 403, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify({ alerts: await listAlerts(context, callerAt(request, context)) })),
  },
  {
    ...READ,
    method: 'GET',
    url: `${URL_OF_ALERTS}/kinds`,
    operationId: 'listAlertKinds',
    summary: 'What alerts wait for',
    description: 'Each kind with its parameters and an example.',
    answer: KindsAnswer,
    example: () => ({}),
    refusals: [401, 403, 429],
    handler: (request, reply) => sendJson(request, reply, { kinds: KINDS }),
  },
  {
    ...READ,
    method: 'GET',
    url: `${URL_OF_ALERTS}/firings`,
    operationId: 'listAlertFirings',
    summary: 'What your alerts fired',
    description: 'Newest first, with what became of each on its way to its receivers.',
    querystring: FiringsQuery,
    answer: FiringsAnswer,
    example: () => ({}),
    refusals: [401, 403, 429, 503],
    handler: async (request, reply) => {
      const asked = request.query as FiringsRequest;
      return sendUncached(
        reply,
        JSON.stringify(await listFirings(context, asked, callerAt(request, context))),
      );
    },
  },
  {
    ...READ,
    method: 'POST',
    url: `${URL_OF_ALERTS}/preview`,
    onlyReads: true,
    operationId: 'previewAlert',
    summary: 'What a rule would have fired',
    description:
      'Judges a rule over the newest 20 sessions by what judges it live: when it would have fired, and whether it can at all. Of several stocks the first ten are judged, over fewer sessions.',
    querystring: AsOfQuery,
    body: PreviewBody,
    bodyLimitBytes: ALERT_BODY_BYTES,
    answer: PreviewAnswer,
    example: ({ symbols }) => ({ body: { ...RULE, symbols: symbols.slice(0, 1) } }),
    refusals: [401, 403, 404, 410, 429, 503, 504],
    handler: async (request, reply) => {
      const preview = await previewOf(context, request.body as SentRule, callerAt(request, context));
      return sendUncached(reply, JSON.stringify(preview));
    },
  },
  {
    ...WRITE,
    method: 'POST',
    url: URL_OF_ALERTS,
    operationId: 'addAlert',
    summary: 'Make an alert',
    description:
      'Keeps a rule that is judged with each minute from now on. One that can never fire, or fires nearly each minute, is refused by a preview unless it is sent with `anyway`.',
    body: AlertBody,
    bodyLimitBytes: ALERT_BODY_BYTES,
    answer: AlertAnswer,
    example: ({ symbols }) => ({
      body: { ...RULE, symbols: symbols.slice(0, 1) },
      answer: madeUp(symbols.slice(0, 1)),
    }),
    refusals: [401, 403, 404, 409, 410, 429, 503, 504],
    handler: async (request, reply) => {
      const alert = await putAlert(context, null, request.body as SentAlert, callerOf(request));
      return sendUncached(reply, JSON.stringify(alert));
    },
  },
  {
    ...READ,
    method: 'GET',
    url: URL_OF_RECEIVERS,
    operationId: 'listAlertReceivers',
    summary: 'Where your alerts go',
    description:
      'Webhooks and mailboxes of the client behind the token, with why one is sent nothing any more.',
    answer: ReceiversAnswer,
    example: () => ({}),
    refusals: [401, 403, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify({ receivers: await listReceivers(context, callerOf(request)) })),
  },
  {
    ...WRITE,
    method: 'PUT',
    url: `${URL_OF_RECEIVERS}/:id`,
    operationId: 'putAlertReceiver',
    summary: 'Add or change where alerts go',
    description:
      'A webhook gets each alert signed as Standard Webhooks say, at least once, under the identifier of the firing. Private addresses are refused unless the operator allows them.',
    params: ReceiverPath,
    body: ReceiverBody,
    answer: ReceiverAnswer,
    example: () => ({ body: { channel: 'webhook', address: RECEIVER.address }, answer: RECEIVER }),
    refusals: [401, 403, 404, 409, 429, 503],
    handler: async (request, reply) => {
      const sent = request.body as SentReceiver;
      const made = await putReceiver(context, idIn(request), sent, callerOf(request));
      return sendUncached(reply, JSON.stringify(made));
    },
  },
  {
    ...WRITE,
    method: 'POST',
    url: `${URL_OF_RECEIVERS}/:id`,
    operationId: 'testAlertReceiver',
    summary: 'Send a test',
    description:
      'At once, whatever its hours and budget; one that was disabled is sent to again if it arrives.',
    params: ReceiverPath,
    answer: TestedAnswer,
    example: () => ({ answer: { delivered: true, says: 'It arrived.' } }),
    refusals: [401, 403, 404, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify(await testReceiver(context, idIn(request), callerOf(request)))),
  },
  {
    ...WRITE,
    method: 'DELETE',
    url: `${URL_OF_RECEIVERS}/:id`,
    operationId: 'deleteAlertReceiver',
    summary: 'Delete where alerts go',
    description: 'What waits for it is not sent.',
    params: ReceiverPath,
    answer: RemovedAlert,
    example: () => ({ answer: { id: ID } }),
    refusals: [401, 403, 404, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify(await deleteReceiver(context, idIn(request), callerOf(request)))),
  },
  {
    ...READ,
    method: 'GET',
    url: URL_OF_ONE,
    operationId: 'getAlert',
    summary: 'An alert',
    description: 'The rule, whether it is judged, and when it last fired.',
    params: AlertPath,
    querystring: AsOfQuery,
    answer: AlertAnswer,
    example: ({ symbols }) => ({ answer: madeUp(symbols) }),
    refusals: [401, 403, 404, 429, 503],
    handler: async (request, reply) => {
      const alert = await getAlert(context, idIn(request), callerAt(request, context));
      return sendUncached(reply, JSON.stringify(alert));
    },
  },
  {
    ...WRITE,
    method: 'PUT',
    url: URL_OF_ONE,
    operationId: 'putAlert',
    summary: 'Change or pause an alert',
    description:
      'Keeps a rule in place of what it was; it begins anew with what its caller has not seen yet.',
    params: AlertPath,
    body: AlertBody,
    bodyLimitBytes: ALERT_BODY_BYTES,
    answer: AlertAnswer,
    example: ({ symbols }) => ({ body: { ...RULE, symbols }, answer: madeUp(symbols) }),
    refusals: [401, 403, 404, 409, 410, 429, 503, 504],
    handler: async (request, reply) => {
      const alert = await putAlert(context, idIn(request), request.body as SentAlert, callerOf(request));
      return sendUncached(reply, JSON.stringify(alert));
    },
  },
  {
    ...WRITE,
    method: 'DELETE',
    url: URL_OF_ONE,
    operationId: 'deleteAlert',
    summary: 'Delete an alert',
    description: 'The rule is gone; what it fired stays.',
    params: AlertPath,
    answer: RemovedAlert,
    example: () => ({ answer: { id: ID } }),
    refusals: [401, 403, 404, 429, 503],
    handler: async (request, reply) =>
      sendUncached(reply, JSON.stringify(await deleteAlert(context, idIn(request), callerOf(request)))),
  },
];

const KINDS = ALERT_KINDS.map(({ name, title, description, parameters, example, isOfMarket = false }) => ({
  name,
  title,
  description,
  parameters,
  example,
  of_market: isOfMarket,
}));
