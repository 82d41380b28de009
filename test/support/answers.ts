import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { expect } from 'vitest';

/** Fails unless a request is refused with this status and this code, and in words that have these. */
export async function expectRefused(
  answer: PromiseLike<Pick<LightMyRequestResponse, 'statusCode' | 'body'>>,
  status: number,
  code: string,
  says = '',
): Promise<void> {
  const { statusCode, body } = await answer;
  const refusal = JSON.parse(body);
  expect([statusCode, refusal.code]).toEqual([status, code]);
  expect(refusal.detail).toContain(says);
}

/** The faults of an answer of 422, each as its place and its type with commas between. */
export const faultsOf = ({ body }: Pick<LightMyRequestResponse, 'body'>): string[] =>
  JSON.parse(body).detail.map(({ loc, type }: { loc: string[]; type: string }) => [...loc, type].join());

/** Fails unless a request is refused with 422 and these faults. */
export async function expectFaults(
  answer: PromiseLike<Pick<LightMyRequestResponse, 'statusCode' | 'body'>>,
  ...faults: readonly string[]
): Promise<void> {
  const response = await answer;
  expect(response.statusCode, response.body.slice(0, 500)).toBe(422);
  expect(faultsOf(response)).toEqual(faults);
}

/** Fails unless an answer has the shape that the OpenAPI document of a server gives it. */
export async function expectDocumented(
  server: FastifyInstance,
  path: string,
  answer: unknown,
  method = 'get',
): Promise<void> {
  const document = (await server.inject('/openapi.json')).json();
  const { schema } = document.paths[path][method].responses['200'].content['application/json'];
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  const validate = ajv.compile({ ...schema, components: document.components });
  expect(validate(answer), JSON.stringify(validate.errors)).toBe(true);
}
