import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CodedError } from '../../src/base/errors.ts';
import { describeSettings, loadConfig, settingsTable, settingWarnings } from '../../src/config.ts';
import { bucketAddress } from '../../src/tape/segments/bucket-address.ts';

function refusalOf(environment: Record<string, string>): CodedError {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof CodedError) return error;
  }
  throw new Error(`${JSON.stringify(environment)} was accepted.`);
}

describe('settings that are not given', () => {
  it('have the documented defaults', () => {
    expect(loadConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDirectory: resolve('./data'),
      authRequired: false,
      queryTimeoutMs: 2000,
      logLevel: 'info',
      delayMinutes: 15,
    });
    expect(loadConfig({})).not.toHaveProperty('databaseUrl');
    expect(loadConfig({}).workers).toBeGreaterThanOrEqual(1);
  });

  it('may as well be empty', () => {
    expect(loadConfig({ PORT: '', DATABASE_URL: ' ', LOG_LEVEL: '' })).toEqual(loadConfig({}));
  });
});

describe('keys of vendors', () => {
  it.each([
    [{ ALPACA_KEY_ID: 'k' }, 'ALPACA_SECRET_KEY', 'ALPACA_SECRET_KEY is missing: ALPACA_KEY_ID needs it.'],
    [{ ALPACA_SECRET_KEY: 's' }, 'ALPACA_KEY_ID', 'ALPACA_KEY_ID is missing: ALPACA_SECRET_KEY needs it.'],
    [
      { ALPACA_KEY_ID: 'k', ALPACA_SECRET_KEY: 's', MASSIVE_API_KEY: 'm' },
      'MASSIVE_API_KEY',
      'ALPACA_KEY_ID and MASSIVE_API_KEY are both set: take one away.',
    ],
  ])('that do not go together are refused: %j', (environment, setting, message) => {
    expect(refusalOf(environment as never)).toMatchObject({
      code: 'bad_setting',
      message,
      facts: { setting },
    });
  });

  it('may lie in files, and what is set itself counts over them', () => {
    const file = resolve(import.meta.dirname, '../../package.json');
    expect(loadConfig({ MASSIVE_API_KEY: 'm', MASSIVE_API_KEY_FILE: file }).vendor).toMatchObject({
      name: 'massive',
      access: { apiKey: 'm', feed: 'end_of_day' },
    });
    expect(refusalOf({ MASSIVE_API_KEY_FILE: file }).message).not.toContain('"name"');
    expect(refusalOf({ MASSIVE_API_KEY_FILE: '/nowhere' }).message).toContain(
      'MASSIVE_API_KEY_FILE names a file',
    );
  });
});

describe('settings that are given', () => {
  it('are read by their type', () => {
    const config = loadConfig({
      PORT: ' 9090 ',
      AUTH_REQUIRED: 'TRUE',
      TIGRAPH_DATA_DIR: 'somewhere/else',
      DATABASE_URL: 'postgresql://desk@db.example/tigraph',
      TIGRAPH_NOW: '2024-03-08T20:45:00Z',
      LOG_LEVEL: 'warn',
    });
    expect(config).toMatchObject({
      port: 9090,
      authRequired: true,
      dataDirectory: resolve('somewhere/else'),
      databaseUrl: 'postgresql://desk@db.example/tigraph',
      now: '2024-03-08T20:45:00Z',
      logLevel: 'warn',
    });
  });

  it.each([
    ['PORT', 'eighty', 'a whole number from 0 to 65535'],
    ['PORT', '65536', 'a whole number from 0 to 65535'],
    ['PORT', '80.5', 'a whole number from 0 to 65535'],
    ['PORT', '0x50', 'a whole number from 0 to 65535'],
    ['QUERY_TIMEOUT_MS', '0', 'a whole number from 1 to 600000'],
    ['TIGRAPH_DELAY_MINUTES', '14', 'a whole number from 15 to 1440'],
    ['AUTH_REQUIRED', 'perhaps', 'true or false'],
    ['LOG_LEVEL', 'loud', 'one of trace, debug, info'],
    ['TIGRAPH_NOW', '2024-02-30T00:00:00Z', 'an instant in UTC'],
    ['TIGRAPH_NOW', 'yesterday', 'an instant in UTC'],
    ['HOST', 'two words', 'a host name or an address'],
  ])(
    '%s=%s is refused in one sentence that names it, its value and what is allowed',
    (name, value, allowed) => {
      const refusal = refusalOf({ [name]: value });
      expect(refusal.code).toBe('bad_setting');
      expect(refusal.message).toContain(name);
      expect(refusal.message).toContain(value);
      expect(refusal.message).toContain(allowed);
      expect(refusal.message).not.toContain('\n');
    },
  );

  it.each([
    [{ TIGRAPH_EMBEDDINGS: 'http' }, 'EMBEDDINGS_URL'],
    [{ TIGRAPH_EMBEDDINGS: 'http', EMBEDDINGS_URL: 'http://127.0.0.1:1/v1' }, 'EMBEDDINGS_MODEL'],
    [
      { TIGRAPH_EMBEDDINGS: 'http', EMBEDDINGS_MODEL: 'm', EMBEDDINGS_URL: 'ftp://a.example' },
      'EMBEDDINGS_URL',
    ],
    [
      { TIGRAPH_EMBEDDINGS: 'http', EMBEDDINGS_MODEL: 'm', EMBEDDINGS_URL: 'https://me:pw@a.example' },
      'EMBEDDINGS_URL',
    ],
    [{ EMBEDDINGS_URL: 'http://127.0.0.1:1/v1' }, 'EMBEDDINGS_URL'],
    [{ EMBEDDINGS_MODEL: 'm' }, 'EMBEDDINGS_MODEL'],
    [{ EMBEDDINGS_API_KEY: 'sk-hunter2' }, 'EMBEDDINGS_API_KEY'],
    [{ EMBEDDINGS_DIMENSIONS: '256' }, 'EMBEDDINGS_DIMENSIONS'],
    [{ TIGRAPH_EMBEDDINGS: 'off', EMBEDDINGS_DIMENSIONS: '0' }, 'EMBEDDINGS_DIMENSIONS'],
    [{ TIGRAPH_EMBEDDINGS: 'wink' }, 'TIGRAPH_EMBEDDINGS'],
  ])('of the embeddings go together: %o', (environment, setting) => {
    const refusal = refusalOf(environment as Record<string, string>);
    expect(refusal.code).toBe('bad_setting');
    expect(refusal.message).toMatch(new RegExp(`^${setting} `));
    expect(refusal.message).not.toContain('hunter2');
    expect(refusal.facts).toEqual({ setting });
  });

  it('of a provider may stay while embeddings are switched off', () => {
    const provider = {
      EMBEDDINGS_URL: 'https://api.openai.com/v1',
      EMBEDDINGS_MODEL: 'm',
      EMBEDDINGS_API_KEY: 'k',
    };
    expect(loadConfig({ ...provider, TIGRAPH_EMBEDDINGS: 'off' }).embeddings).toBe('off');
    expect(loadConfig({ ...provider, TIGRAPH_EMBEDDINGS: 'http' })).toMatchObject({
      embeddingsUrl: 'https://api.openai.com/v1',
      embeddingsModel: 'm',
    });
  });

  it('of a standby need the server that it follows', () => {
    const standby = { DATABASE_READ_URL: 'postgres://desk:hunter2@standby.example/tigraph' };
    const { message } = refusalOf(standby);
    expect(message).toMatch(/^DATABASE_READ_URL has no effect without DATABASE_URL/);
    expect(message).not.toContain('hunter2');
    expect(loadConfig({ ...standby, DATABASE_URL: 'postgres://db.example/tigraph' })).toMatchObject({
      databaseReadUrl: standby.DATABASE_READ_URL,
    });
  });

  const bucket = {
    TIGRAPH_TAPE: 's3://desk/tape/of.us',
    AWS_ACCESS_KEY_ID: 'AKIA',
    AWS_SECRET_ACCESS_KEY: 'hunter2',
    AWS_DEFAULT_REGION: 'eu-west-1',
  };

  it.each([
    ['TIGRAPH_TAPE', 'https://desk.example/tape'],
    ['TIGRAPH_TAPE', 's3://de'],
    ['TIGRAPH_TAPE', 's3://desk/../tape'],
    ['TIGRAPH_TAPE', 's3://key:hunter2@desk/tape'],
    ['TIGRAPH_TAPE_CACHE_MB', '15'],
    ['AWS_ACCESS_KEY_ID', ''],
    ['AWS_SECRET_ACCESS_KEY', ''],
    ['AWS_REGION', ''],
    ['AWS_ENDPOINT_URL_S3', 'minio:9000'],
    ['AWS_ENDPOINT_URL', 'https://key:hunter2@minio.example'],
  ])('of a tape in a bucket are refused by name: %s=%s', (setting, value) => {
    const refusal = refusalOf({ ...bucket, AWS_DEFAULT_REGION: '', [setting]: value });
    expect(refusal).toMatchObject({ code: 'bad_setting', facts: { setting } });
    expect(refusal.message).toMatch(new RegExp(`^${setting} `));
    if (setting !== 'TIGRAPH_TAPE') expect(refusal.message).not.toContain('hunter2');
  });

  it('of a tape in a bucket make its address', () => {
    const addressOf = (environment: Record<string, string>) =>
      bucketAddress(loadConfig({ ...bucket, ...environment }));
    expect(addressOf({})).toMatchObject({
      url: 'https://s3.eu-west-1.amazonaws.com/desk',
      prefix: 'tape/of.us/',
      region: 'eu-west-1',
    });
    const minio = {
      AWS_ENDPOINT_URL_S3: 'https://minio.example:9000/',
      AWS_ENDPOINT_URL: 'https://sqs.example',
    };
    expect(addressOf({ ...minio, AWS_REGION: 'r', TIGRAPH_TAPE: 's3://desk/' })).toMatchObject({
      url: 'https://minio.example:9000/desk',
      prefix: '',
      region: 'r',
    });
    expect(addressOf({ TIGRAPH_TAPE: '' })).toBeNull();
    expect(loadConfig({ AWS_ENDPOINT_URL: 'idle' }).tape).toBeUndefined();
  });

  it('never show a secret', () => {
    const { message } = refusalOf({ DATABASE_URL: 'mysql://desk:hunter2@db.example' });
    expect(message).toContain('DATABASE_URL');
    expect(message).not.toContain('hunter2');
  });

  it('are, for any whole number, either in range or refused', () => {
    fc.assert(
      fc.property(fc.integer({ min: -100_000, max: 200_000 }), (port) => {
        const allowed = port >= 0 && port <= 65_535;
        if (allowed) expect(loadConfig({ PORT: String(port) }).port).toBe(port);
        else expect(refusalOf({ PORT: String(port) }).code).toBe('bad_setting');
      }),
    );
  });
});

describe('what surrounds the settings', () => {
  it('warns of a variable that only looks like a setting', () => {
    const warnings = settingWarnings({ TIGRAPH_DATADIR: '/x', TIGRAPH_DATA_DIR: '/y', PATH: '/bin' });
    expect(warnings).toEqual(['TIGRAPH_DATADIR is not a setting and has no effect.']);
  });

  it('gives every setting a separate variable and a sentence', () => {
    const settings = describeSettings();
    expect(new Set(settings.map((setting) => setting.env)).size).toBe(settings.length);
    for (const { env, description } of settings) expect(description, env).toMatch(/^[A-Z].*\.$/);
  });

  it('has one row of the table for each setting', () => {
    const rows = settingsTable().split('\n').slice(2);
    expect(rows.map((row) => /^\| `(\w+)` /.exec(row)?.[1])).toEqual(
      describeSettings().map((setting) => setting.env),
    );
  });
});
