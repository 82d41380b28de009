import fastifyStatic from '@fastify/static';
import Fastify from 'fastify';
import { expect, it, onTestFinished } from 'vitest';
import { answerErrors } from '../../../src/api/http/errors.ts';

/** What libraries refuse with a status of their own. */

const lines: string[] = [];
async function open() {
  const app = Fastify({
    logger: { level: 'error', stream: { write: (line: string) => void lines.push(line) } },
  });
  onTestFinished(() => app.close());
  answerErrors(app);
  await app.register(fastifyStatic, { root: import.meta.dirname, prefix: '/assets/' });
  app.get('/teapot', () => {
    throw Object.assign(new Error('I am a teapot'), { statusCode: 418 });
  });
  return app;
}

it.each([
  ['/assets/../package.json', 404, 'not_found'],
  ['/assets/..%2fpackage.json', 404, 'not_found'],
  ['/assets/%2e%2e/%2e%2e/package.json', 404, 'not_found'],
  ['/assets/..%5cpackage.json', 404, 'not_found'],
  ['/assets/%00', 404, 'not_found'],
  ['/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404, 'not_found'],
  ['/assets/.git/config', 404, 'not_found'],
  ['/teapot', 400, 'malformed_request'],
])('%s is an error of the catalogue, with nothing in the log', async (url, status, code) => {
  lines.length = 0;
  const answer = await (await open()).inject(url);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  expect(lines).toEqual([]);
});
