import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  type InputRequest,
  inputRequired,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import { answerErrors, refuseNothing } from '../../src/api/http/errors.ts';
import { guardHosts } from '../../src/api/http/host-names.ts';
import { serveMcp } from '../../src/api/server/mcp.ts';
import { homeOn } from '../../src/api/server/oauth.ts';

/**
 * The tools, resources and prompts that the conformance suite calls, as its scenarios describe them, behind the hooks and
 * the handler of the product.
 */

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA=';

const text = (words: string) => ({ type: 'text' as const, text: words });
const said = (words: string) => ({ content: [text(words)] });
const image = { type: 'image' as const, data: PIXEL, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType, text: words },
});
const strings = (...names: string[]) =>
  fromJsonSchema<Record<string, string>>({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  });
const nothing = fromJsonSchema<Record<string, never>>({ type: 'object', properties: {} });

/** A question to the user with one answer. */
const ask = (message: string, field: string, type: 'string' | 'boolean' = 'string'): InputRequest =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: { type } as { type: 'boolean' } },
      required: [field],
    },
  });
const complete = (words: string, maxTokens = 100): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens });
const isAnswered = ({ mcpReq }: ServerContext, key: string): boolean =>
  inputResponse(mcpReq.inputResponses, key).kind !== 'missing';

/** What the client said that it can, in this request. */
const capabilitiesOf = ({ envelope }: ServerContext['mcpReq']): Record<string, unknown> =>
  (envelope as Record<string, Record<string, unknown>> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {};

const states = createRequestStateCodec<string>({ key: 'k'.repeat(32) });
const LISTS = { ttlMs: 60_000, cacheScope: 'public' } as const;

function makeFixture(): McpServer {
  const server = new McpServer(
    { name: 'fixture', version: '0' },
    {
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false, subscribe: true },
        prompts: { listChanged: false },
        logging: {},
        completions: {},
      },
      requestState: { verify: states.verify },
      cacheHints: {
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
      },
    },
  );
  const tool = (name: string, run: (context: ServerContext) => unknown): void => {
    server.registerTool(
      name,
      { description: name, inputSchema: nothing },
      (_args, context) => run(context) as never,
    );
  };
  addContents(server, tool);
  addQuestions(tool);
  addResources(server);
  addPrompts(server);
  return server;
}

type AddTool = (name: string, run: (context: ServerContext) => unknown) => void;

function addContents(server: McpServer, tool: AddTool): void {
  tool('test_simple_text', () => said('This is a simple text response for testing.'));
  tool('test_image_content', () => ({ content: [image] }));
  tool('test_audio_content', () => ({
    content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }],
  }));
  const embedded = resource(
    'test://embedded-resource',
    'text/plain',
    'This is an embedded resource content.',
  );
  tool('test_embedded_resource', () => ({ content: [embedded] }));
  tool('test_multiple_content_types', () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }));
  tool('test_error_handling', () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
  tool('test_tool_with_logging', async ({ mcpReq }) => {
    for (const step of ['started', 'processing data', 'completed']) {
      await mcpReq.notify({
        method: 'notifications/message',
        params: { level: 'info', data: `Tool execution ${step}` },
      });
    }
    return said('Tool with logging executed successfully');
  });
  tool('test_logging_tool', async ({ mcpReq }) => {
    await mcpReq.log('info', 'only where it was asked for');
    return said('logged');
  });
  tool('test_tool_with_progress', async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken ?? 0;
    for (const progress of [0, 50, 100]) {
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100, message: `${progress} of 100` },
      });
    }
    return said(String(progressToken));
  });
  server.server.setRequestHandler('logging/setLevel', async () => ({}));
  server.server.setRequestHandler('completion/complete', async () => ({
    completion: { values: [], total: 0, hasMore: false },
  }));
}

/** Tools that answer in the second round, or the third. */
function addQuestions(tool: AddTool): void {
  // The server asks only what the client says that it can.
  tool('test_missing_capability', () => inputRequired({ inputRequests: { any: complete('Anything') } }));
  const name = { user_name: ask('What is your name?', 'name') };
  const elicitation = ({ mcpReq }: ServerContext) => {
    const answer = acceptedContent(mcpReq.inputResponses, 'user_name');
    return answer === undefined ? inputRequired({ inputRequests: name }) : said(`Hello, ${answer.name}!`);
  };
  tool('test_input_required_result_elicitation', elicitation);
  tool('test_streaming_elicitation', elicitation);
  tool('test_input_required_result_sampling', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'capital_question');
    return answer.kind === 'sampling'
      ? said(JSON.stringify(answer.result.content))
      : inputRequired({ inputRequests: { capital_question: complete('What is the capital of France?') } });
  });
  tool('test_input_required_result_list_roots', ({ mcpReq }) => {
    const answer = inputResponse(mcpReq.inputResponses, 'client_roots');
    return answer.kind === 'roots'
      ? said(JSON.stringify(answer.roots))
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  const confirmed = async (context: ServerContext) =>
    isAnswered(context, 'confirm') && context.mcpReq.requestState<string>() === 'confirm'
      ? said('state-ok')
      : inputRequired({
          inputRequests: { confirm: ask('Please confirm', 'ok', 'boolean') },
          requestState: await states.mint('confirm'),
        });
  tool('test_input_required_result_request_state', confirmed);
  tool('test_input_required_result_tampered_state', confirmed);
  const all = {
    ...name,
    greeting: complete('Generate a greeting', 50),
    client_roots: inputRequired.listRoots(),
  };
  tool('test_input_required_result_multiple_inputs', async (context) =>
    Object.keys(all).every((key) => isAnswered(context, key))
      ? said('all answered')
      : inputRequired({ inputRequests: all, requestState: await states.mint('all') }),
  );
  tool('test_input_required_result_multi_round', async (context) => {
    const round = context.mcpReq.requestState<string>();
    if (round === 'second' && isAnswered(context, 'step2')) return said('both steps done');
    const isSecond = round === 'first' && isAnswered(context, 'step1');
    return inputRequired({
      inputRequests: isSecond
        ? { step2: ask('Step 2: What is your favorite color?', 'color') }
        : { step1: ask('Step 1: What is your name?', 'name') },
      requestState: await states.mint(isSecond ? 'second' : 'first'),
    });
  });
  tool('test_input_required_result_capabilities', ({ mcpReq }) => {
    const { sampling, elicitation: asks } = capabilitiesOf(mcpReq);
    return inputRequired({
      inputRequests: {
        ...(sampling !== undefined && { greeting: all.greeting }),
        ...(asks !== undefined && name),
      },
    });
  });
}

function addResources(server: McpServer): void {
  server.registerResource('text', 'test://static-text', { mimeType: 'text/plain' }, async ({ href }) => ({
    contents: [
      { uri: href, mimeType: 'text/plain', text: 'This is the content of the static text resource.' },
    ],
  }));
  server.registerResource('binary', 'test://static-binary', { mimeType: 'image/png' }, async ({ href }) => ({
    contents: [{ uri: href, mimeType: 'image/png', blob: PIXEL }],
  }));
  server.registerResource('watched', 'test://watched-resource', {}, async ({ href }) => ({
    contents: [{ uri: href, text: 'Watched resource content' }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    async ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  server.server.setRequestHandler('resources/subscribe', async () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', async () => ({}));
}

function addPrompts(server: McpServer): void {
  const user = (content: unknown) => ({ role: 'user', content }) as never;
  server.registerPrompt('test_simple_prompt', { description: 'no arguments' }, () => ({
    messages: [user(text('This is a simple prompt for testing.'))],
  }));
  const two = { description: 'two arguments', argsSchema: strings('arg1', 'arg2') };
  server.registerPrompt('test_prompt_with_arguments', two, ({ arg1, arg2 }) => ({
    messages: [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  }));
  const uri = { description: 'a resource', argsSchema: strings('resourceUri') };
  server.registerPrompt('test_prompt_with_embedded_resource', uri, ({ resourceUri }) => ({
    messages: [
      user(resource(resourceUri!, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.')),
    ],
  }));
  server.registerPrompt('test_prompt_with_image', { description: 'an image' }, () => ({
    messages: [user(image), user(text('Please analyze the image above.'))],
  }));
  server.registerPrompt('test_input_required_result_prompt', { description: 'asks first' }, ((
    context: ServerContext,
  ) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_context');
    return answer === undefined
      ? inputRequired({
          inputRequests: { user_context: ask('What context should the prompt use?', 'context') },
        })
      : { messages: [user(text(`Use ${answer.context}`))] };
  }) as never);
}

/** The fixture over HTTP, at `/mcp` of a free port. */
export async function listenFixture(): Promise<{ url: string; close(): Promise<void> }> {
  const app = Fastify();
  answerErrors(app, refuseNothing);
  guardHosts(app, '127.0.0.1', undefined);
  const viewers = { authRequired: false, delayMs: 0 } as never;
  serveMcp(app, {
    version: '0',
    viewers,
    allowedOrigins: new Set(),
    homeOf: homeOn(undefined),
    makeServer: makeFixture,
  });
  const home = await app.listen({ port: 0, host: '127.0.0.1' });
  return { url: `${home}/mcp`, close: () => app.close() };
}
