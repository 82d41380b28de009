import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import type { Static } from 'typebox';
import { CodedError } from './base/errors.ts';
import { FAULT_PATTERN } from './base/fault-points.ts';
import { SECRET, secret, text, word } from './base/setting.ts';
import { Type } from './base/type.ts';
import { VENDORS } from './live/vendors/index.ts';
import { BUCKET_PATTERN, bucketAddress } from './tape/segments/bucket-address.ts';

/** Exchanges let a caller without their contract see no younger data. */
export const LEAST_DELAY_MINUTES = 15;

const INSTANT = '\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?Z';

/** What a process does: all of it, or one part among several processes. */
export const ROLES = ['all', 'api', 'live', 'worker', 'scheduler'] as const;
export type Role = (typeof ROLES)[number];

type Range = readonly [minimum: number, maximum: number];

const integer = (env: string, fallback: number, [minimum, maximum]: Range, description: string) =>
  Type.Integer({ env, default: fallback, minimum, maximum, description });

const postgres = (env: string, description: string) =>
  text(
    env,
    '^postgres(ql)?://',
    'an address that begins with postgres:// or postgresql://',
    description,
    SECRET,
  );

/**
 * Every setting. `env` is its variable; `shown` the documented default where it depends on the machine; `allowed`
 * explains a pattern; a `secret` is never printed; a `path` is made absolute.
 */
const ConfigSchema = Type.Object({
  port: integer('PORT', 8080, [0, 65_535], 'TCP port to listen on; 0 takes any free port.'),
  host: Type.String({
    env: 'HOST',
    default: '127.0.0.1',
    pattern: '^[^\\s/]+$',
    allowed: 'a host name or an address',
    description: 'Address to listen on; `0.0.0.0` opens the service to the network.',
  }),
  dataDirectory: Type.String({
    env: 'TIGRAPH_DATA_DIR',
    default: './data',
    path: true,
    description: 'Directory of the tape and of the embedded database.',
  }),
  tape: text(
    'TIGRAPH_TAPE',
    BUCKET_PATTERN,
    'an address such as s3://bucket/prefix',
    'Prefix of an S3-compatible bucket in which the segment files of the tape lie.',
    { shown: '`tape` in the data directory' },
  ),
  tapeCacheMegabytes: integer(
    'TIGRAPH_TAPE_CACHE_MB',
    4_096,
    [16, 1_048_576],
    'Disk for the parts of a tape in a bucket that have been read, in `tape-cache` of the data directory.',
  ),
  awsAccessKeyId: secret(
    'AWS_ACCESS_KEY_ID',
    'Key of the bucket; `TIGRAPH_TAPE` and backups in a bucket need it.',
  ),
  awsSecretAccessKey: secret('AWS_SECRET_ACCESS_KEY', 'Secret to the key of the bucket; needed with it.'),
  awsSessionToken: secret('AWS_SESSION_TOKEN', 'Token of a key of the bucket that expires.'),
  awsRegion: word('AWS_REGION', 'Region of the bucket; needed without an endpoint.'),
  awsDefaultRegion: word('AWS_DEFAULT_REGION', 'The same, where `AWS_REGION` is not set.'),
  awsEndpointUrlS3: word(
    'AWS_ENDPOINT_URL_S3',
    'Address of a store other than that of the region, such as https://minio.example:9000.',
  ),
  awsEndpointUrl: word('AWS_ENDPOINT_URL', 'The same, where `AWS_ENDPOINT_URL_S3` is not set.'),
  databaseUrl: postgres(
    'DATABASE_URL',
    'PostgreSQL 15 or newer with pgvector, used in place of the embedded database.',
  ),
  databaseReadUrl: postgres(
    'DATABASE_READ_URL',
    'Hot standby of `DATABASE_URL` that answers what only reads.',
  ),
  databaseConnections: integer(
    'TIGRAPH_DATABASE_CONNECTIONS',
    10,
    [1, 1_000],
    'Connections to `DATABASE_URL`, and as many to `DATABASE_READ_URL`; the embedded database has one.',
  ),
  keepMonths: Type.Optional(
    Type.Integer({
      env: 'TIGRAPH_KEEP_MONTHS',
      shown: 'all',
      minimum: 1,
      maximum: 1_200,
      description:
        'Whole months of stored stock-days that are kept before that of the newest session; earlier ones are dropped and derived when they are asked for.',
    }),
  ),
  historySessions: integer(
    'TIGRAPH_HISTORY_SESSIONS',
    260,
    [0, 5_200],
    'Newest sessions of each stock of which every single value is derived in the background and stored for histories, in whole quarters; 0 for none.',
  ),
  natsUrl: text(
    'NATS_URL',
    '^(nats|tls)://[^\\s,]+(\\s*,\\s*(nats|tls)://[^\\s,]+)*$',
    'addresses such as nats://127.0.0.1:4222 with commas between them',
    'NATS servers with JetStream, through which processes share work, leases and announcements; needs `DATABASE_URL`.',
    SECRET,
  ),
  tracesEndpoint: text(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    '^https?://[^\\s]+$',
    'an address such as http://127.0.0.1:4318',
    'Collector of OpenTelemetry traces, over HTTP; without it none are made. Its other standard variables hold too.',
  ),
  authRequired: Type.Boolean({
    env: 'AUTH_REQUIRED',
    default: false,
    description: 'Refuse callers without a token in place of serving them delayed data.',
  }),
  delayMinutes: integer(
    'TIGRAPH_DELAY_MINUTES',
    LEAST_DELAY_MINUTES,
    [LEAST_DELAY_MINUTES, 1_440],
    'Age that market data must have before a caller without the real-time entitlement sees it.',
  ),
  queryTimeoutMs: integer(
    'QUERY_TIMEOUT_MS',
    2_000,
    [1, 600_000],
    'Time after which a request for stock data ends with 504.',
  ),
  bodyLimitBytes: integer(
    'TIGRAPH_BODY_LIMIT_BYTES',
    1_048_576,
    [1_024, 67_108_864],
    'Largest request body.',
  ),
  headerLimitBytes: integer(
    'TIGRAPH_HEADER_LIMIT_BYTES',
    16_384,
    [1_024, 1_048_576],
    'Largest request line and header lines together.',
  ),
  headersTimeoutMs: integer(
    'TIGRAPH_HEADERS_TIMEOUT_MS',
    10_000,
    [100, 600_000],
    'Time that the header lines of a request may take to arrive.',
  ),
  requestTimeoutMs: integer(
    'TIGRAPH_REQUEST_TIMEOUT_MS',
    30_000,
    [100, 600_000],
    'Time that a whole request may take to arrive.',
  ),
  keepAliveMs: integer(
    'TIGRAPH_KEEP_ALIVE_MS',
    72_000,
    [1_000, 600_000],
    'Time that a connection without a request stays open; longer than that of a proxy before it.',
  ),
  stalledMs: integer(
    'TIGRAPH_STALLED_MS',
    60_000,
    [1_000, 600_000],
    'Time without a byte either way after which a connection is ended; at least a second above `QUERY_TIMEOUT_MS` in any case.',
  ),
  connectionsMax: integer(
    'TIGRAPH_CONNECTIONS_MAX',
    10_000,
    [1, 1_000_000],
    'Connections at a time; further ones are closed as they come.',
  ),
  requestsPerMinute: Type.Optional(
    Type.Integer({
      env: 'TIGRAPH_REQUESTS_PER_MINUTE',
      shown: '`0` on a loopback `HOST`, else `6000`',
      minimum: 0,
      maximum: 10_000_000,
      description: 'Requests a minute from one address (IPv6: its /64), beyond them 429; 0 for no limit.',
    }),
  ),
  answersUnderWayMax: integer(
    'TIGRAPH_ANSWERS_UNDER_WAY',
    500,
    [1, 100_000],
    'Answers about stocks that are made at a time; one more is refused with 503.',
  ),
  loopDelayMaxMs: integer(
    'TIGRAPH_LOOP_DELAY_MAX_MS',
    250,
    [0, 60_000],
    'Mean delay of the event loop from which on answers that are not ready are refused with 503 behind a queue; 0 for never.',
  ),
  allowedHosts: text(
    'TIGRAPH_ALLOWED_HOSTS',
    '^(\\*|[^\\s/,@?#*]+(\\s*,\\s*[^\\s/,@?#*]+)*)$',
    '`*`, or names such as charts.example with commas between them',
    'Host names that requests may name beside those of this machine, else 421; unless set none on a loopback `HOST`, all elsewhere.',
  ),
  publicUrl: text(
    'TIGRAPH_PUBLIC_URL',
    '^https?://[^\\s/?#@]+$',
    'an address such as https://graph.example, without a slash at its end',
    'Address by which callers know the service, for links to the Explorer and for the documents of OAuth.',
    { shown: 'scheme and `Host` of each request' },
  ),
  alertsPrivate: Type.Boolean({
    env: 'TIGRAPH_ALERTS_PRIVATE',
    default: false,
    description: 'Let alerts go to webhooks at private addresses: of this machine and of its network.',
  }),
  smtpUrl: text(
    'TIGRAPH_SMTP_URL',
    '^smtps?://[^\\s]+$',
    'an address such as smtps://user:password@mail.example:465',
    'Mail server by which alerts go as e-mail.',
    SECRET,
  ),
  smtpFrom: text(
    'TIGRAPH_SMTP_FROM',
    '^[^\\n]+@[^\\n]+$',
    'an address such as alerts@graph.example',
    'Sender of that e-mail.',
  ),
  allowedOrigins: text(
    'TIGRAPH_ALLOWED_ORIGINS',
    '^(\\*|https?://[^\\s/,@?#]+(\\s*,\\s*https?://[^\\s/,@?#]+)*)$',
    '`*`, or origins such as https://charts.example with commas between them',
    'Sites whose pages may read answers from a browser (CORS); none unless set.',
  ),
  streamsMax: integer(
    'TIGRAPH_STREAMS_MAX',
    2_000,
    [0, 100_000],
    'Streams open at a time; one more is refused with 503.',
  ),
  shutdownGraceMs: integer(
    'TIGRAPH_SHUTDOWN_MS',
    10_000,
    [0, 600_000],
    'Time that requests in flight get to finish after SIGTERM.',
  ),
  drainMs: integer(
    'TIGRAPH_DRAIN_MS',
    0,
    [0, 600_000],
    'Time after SIGTERM in which `/health/ready` says no and requests are still answered, for a balancer to turn away.',
  ),
  logLevel: Type.Enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], {
    env: 'LOG_LEVEL',
    default: 'info',
    description: 'Least severe log line that is written.',
  }),
  workers: Type.Integer({
    env: 'TIGRAPH_WORKERS',
    default: availableParallelism(),
    shown: 'number of CPUs',
    minimum: 1,
    maximum: 256,
    description: 'Threads for derivation (as many for passes), backtests and diffusion.',
  }),
  diffusionEnabled: Type.Boolean({
    env: 'TIGRAPH_DIFFUSION',
    default: true,
    description: 'Answer `/api/internal/graph-diffusion/compute`; false refuses with 503.',
  }),
  cacheMegabytes: integer(
    'TIGRAPH_CACHE_MB',
    128,
    [0, 65_536],
    'Memory for finished answers; 0 switches the cache off.',
  ),
  statesMegabytes: integer(
    'TIGRAPH_STATES_MB',
    512,
    [0, 4_096],
    'Memory for the states that days are compared by, 10 MB for each 512 years of a stock; beyond it there are no analogs.',
  ),
  embeddings: Type.Optional(
    Type.Enum(['http', 'off'], {
      env: 'TIGRAPH_EMBEDDINGS',
      shown: '`off`',
      description:
        'Rank news and playbooks by vectors of an OpenAI-compatible provider (`http`) in place of full-text search.',
    }),
  ),
  embeddingsUrl: text(
    'EMBEDDINGS_URL',
    '^https?://[^\\s/?#@]+(/[^\\s?#@]*)?$',
    'an address such as https://api.openai.com/v1, without name or key in it',
    'Address of the provider before `/embeddings`.',
  ),
  embeddingsModel: text(
    'EMBEDDINGS_MODEL',
    '^[^\\s]{1,200}$',
    'a name without spaces',
    'Model of the provider, e.g. `text-embedding-3-small`; another one embeds every text again.',
  ),
  embeddingsApiKey: text(
    'EMBEDDINGS_API_KEY',
    '^[!-~]{1,1000}$',
    'letters, digits and marks without spaces',
    'Bearer token for the provider; local ones often need none.',
    SECRET,
  ),
  embeddingsDimensions: Type.Optional(
    Type.Integer({
      env: 'EMBEDDINGS_DIMENSIONS',
      shown: 'of the model',
      minimum: 1,
      maximum: 16_000,
      description: 'Length of the vectors that is asked of the provider, where its model can shorten them.',
    }),
  ),
  realDataDirectory: Type.String({
    env: 'TIGRAPH_REAL_DATA',
    default: '../shared/data',
    path: true,
    description: 'Folder of recorded market data that `npm run real-data` and the real-data tests read.',
  }),
  demo: Type.Enum(['on', 'off'] as const, {
    env: 'TIGRAPH_DEMO',
    default: 'on',
    description:
      'Whether a start without any data builds the simulated market; `off` serves nothing until data comes.',
  }),
  symbols: text(
    'TIGRAPH_SYMBOLS',
    '^[^\\s,]+(\\s*,\\s*[^\\s,]+)*$',
    'symbols such as SPY,AAPL with commas between them, `all`, or the path of a file with one in each line',
    'Symbols of the live vendor, in the order in which they are wanted; 30 liquid ones unless set.',
  ),
  calendarFile: Type.Optional(
    Type.String({
      env: 'TIGRAPH_CALENDAR',
      path: true,
      description: 'File of sessions, holidays and early closes that replaces the built-in calendar.',
    }),
  ),
  now: text(
    'TIGRAPH_NOW',
    `^${INSTANT}(\\*\\d{1,4}@${INSTANT})?$`,
    'an instant in UTC such as 2024-03-08T20:45:00Z',
    'Instant that the service takes for now, to replay a past moment. It stands still; with `*60@INSTANT` it runs 60 times as fast since that real instant, the same for every process.',
    { instant: true },
  ),
  // Read by `base/fault-points.ts` itself, in every thread; here it is only checked.
  fault: text(
    'TIGRAPH_FAULT',
    FAULT_PATTERN,
    'a point of docs/reliability.md and a passage, such as segment.stored:2',
    'For tests: the process kills itself at that passage of a durable step. With `trace:FILE` it lives, and the file gets the name of each step.',
  ),
});

type Own = Static<typeof ConfigSchema>;

export interface Config extends Own {
  /** Whose keys are set, and the settings of its own; null for none. */
  readonly vendor: { readonly name: string; readonly access: Readonly<Record<string, unknown>> } | null;
}

interface SettingSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly pattern?: string;
  readonly description: string;
  readonly env: string;
  readonly allowed?: string;
  readonly shown?: string;
  readonly secret?: boolean;
  readonly path?: boolean;
  readonly instant?: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

type Settings = Readonly<Record<string, SettingSchema>>;

/** Every setting in the order of the documentation. */
export const describeSettings = (): SettingSchema[] =>
  [ConfigSchema.properties, ...Object.values(VENDORS).map(({ settings }) => settings)].flatMap((settings) =>
    Object.values(settings as object as Settings),
  );

/**
 * Reads the settings from the environment; an empty variable counts as not set.
 *
 * @throws CodedError `bad_setting`, one sentence with the variable, its value and the allowed values
 */
export function loadConfig(environment: Environment): Config {
  const own = readSettings(ConfigSchema.properties, environment) as Own;
  checkDatabase(own);
  checkEmbeddings(own);
  const config = { ...own, vendor: chosenVendor(environment) };
  bucketAddress(config);
  return config;
}

function readSettings(properties: object, environment: Environment): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [key, schema] of Object.entries(properties as Settings)) {
    const value = readSetting(schema, environment[schema.env] || fileSetting(schema, environment));
    if (value !== undefined) read[key] = value;
  }
  return read;
}

const refuse = (setting: string, sentence: string): never => {
  throw new CodedError('bad_setting', sentence, { facts: { setting } });
};

function checkDatabase({ databaseUrl, databaseReadUrl, natsUrl }: Own): void {
  if (databaseUrl !== undefined) return;
  const idle = 'DATABASE_READ_URL has no effect without DATABASE_URL: set that too, or take it away.';
  if (databaseReadUrl !== undefined) refuse('DATABASE_READ_URL', idle);
  const alone = 'NATS_URL needs DATABASE_URL: the embedded database serves one machine.';
  if (natsUrl !== undefined) refuse('NATS_URL', alone);
}

/** The settings of a provider go together: a part of them alone would embed with another model than was meant. */
function checkEmbeddings({ embeddings, ...config }: Own): void {
  const given = {
    EMBEDDINGS_URL: config.embeddingsUrl,
    EMBEDDINGS_MODEL: config.embeddingsModel,
    EMBEDDINGS_API_KEY: config.embeddingsApiKey,
    EMBEDDINGS_DIMENSIONS: config.embeddingsDimensions,
  };
  if (embeddings === 'http') {
    for (const name of ['EMBEDDINGS_URL', 'EMBEDDINGS_MODEL'] as const)
      if (given[name] === undefined) refuse(name, `${name} is missing: TIGRAPH_EMBEDDINGS=http needs it.`);
  }
  if (embeddings !== undefined) return;
  const [idle] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (idle !== undefined)
    refuse(idle, `${idle} has no effect without TIGRAPH_EMBEDDINGS=http: set that too, or take it away.`);
}

/** The vendor whose keys are set: one of them without the others would begin with nothing. */
function chosenVendor(environment: Environment): Config['vendor'] {
  const given = Object.entries(VENDORS).flatMap(([name, { settings }]) => {
    const access = readSettings(settings, environment);
    const keys = Object.entries(settings as object as Settings).filter(([, schema]) => schema.secret);
    const [set, missing] = [true, false].map((is) => keys.find(([key]) => key in access === is)?.[1].env);
    return set === undefined ? [] : { name, access, set, missing };
  });
  const [first, second] = given;
  if (second !== undefined)
    refuse(second.set, `${first!.set} and ${second.set} are both set: take one away.`);
  if (first?.missing !== undefined)
    refuse(first.missing, `${first.missing} is missing: ${first.set} needs it.`);
  return first ?? null;
}

/** One sentence for each unknown `TIGRAPH_` variable, most often a typing error. Those of tests have a prefix of their own. */
export function settingWarnings(environment: Environment): string[] {
  const known = new Set(describeSettings().map(({ env }) => env));
  return (
    Object.keys(environment)
      // Credentials are of the command that an assistant starts.
      .filter((name) => /^TIGRAPH_(?!TEST_|CLIENT_(?:ID|SECRET)$|GRANT$)/.test(name) && !known.has(name))
      .sort()
      .map((name) => `${name} is not a setting and has no effect.`)
  );
}

/** The settings as the table of docs/operating.md. */
export function settingsTable(): string {
  const rows = describeSettings().map((schema) => {
    const fallback =
      schema.shown ?? (schema.default === undefined ? 'not set' : `\`${String(schema.default)}\``);
    return `| \`${schema.env}\` | ${fallback} | ${allowedValues(schema)} | ${schema.description} |`;
  });
  return ['| variable | default | allowed | meaning |', '|---|---|---|---|', ...rows].join('\n');
}

function readSetting(schema: SettingSchema, given: string | undefined): unknown {
  if (given === undefined || given.trim() === '') return finish(schema, schema.default);
  const value = parse(schema, given.trim());
  if (isAllowed(schema, value)) return finish(schema, value);
  const shown = schema.secret ? 'the value given (not shown)' : JSON.stringify(given);
  return refuse(schema.env, `${schema.env} cannot be ${shown}: it must be ${allowedValues(schema)}.`);
}

/** A secret may lie in a file, as container platforms hand them out. */
function fileSetting({ env, secret }: SettingSchema, environment: Environment): string | undefined {
  const file = secret ? environment[`${env}_FILE`]?.trim() : undefined;
  if (!file) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    return refuse(
      `${env}_FILE`,
      `${env}_FILE names a file that cannot be read: ${(error as Error).message}.`,
    );
  }
}

function parse(schema: SettingSchema, text: string): unknown {
  if (schema.type === 'integer') return /^[+-]?\d+$/.test(text) ? Number(text) : text;
  if (schema.type === 'boolean') return BOOLEANS[text.toLowerCase()] ?? text;
  return text;
}

const BOOLEANS: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

function isAllowed(
  { type, minimum, maximum, pattern, instant, ...schema }: SettingSchema,
  value: unknown,
): boolean {
  if (type === 'integer')
    return typeof value === 'number' && value >= (minimum ?? value) && value <= (maximum ?? value);
  if (type === 'boolean') return typeof value === 'boolean';
  const text = String(value);
  if (schema.enum !== undefined && !schema.enum.includes(text)) return false;
  return (pattern === undefined || new RegExp(pattern, 'u').test(text)) && (!instant || isInstant(text));
}

function finish(schema: SettingSchema, value: unknown): unknown {
  return schema.path && typeof value === 'string' ? resolve(value) : value;
}

function allowedValues(schema: SettingSchema): string {
  if (schema.allowed) return schema.allowed;
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer') return `a whole number from ${schema.minimum} to ${schema.maximum}`;
  if (schema.type === 'boolean') return 'true or false';
  return schema.path ? 'a path' : 'text';
}

/** Whether every instant in the text is one of the calendar. */
function isInstant(text: string): boolean {
  try {
    for (const instant of text.split(/\*\d+@/)) Temporal.Instant.from(instant);
    return true;
  } catch {
    return false;
  }
}
