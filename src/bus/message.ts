import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { CodedError } from '../base/errors.ts';
import type { Queue, WorkOf } from './bus.ts';

/** Why a message is refused. */
export type Refusal = 'malformed' | 'unknown_version';

/** A message that this process does not understand, from wherever it came. */
export class UnreadableMessage extends CodedError {
  readonly refusal: Refusal;

  constructor(refusal: Refusal, sentence: string) {
    super('unreadable_message', sentence);
    this.refusal = refusal;
  }
}

/** The message of a piece of work: its JSON with the version of the queue. */
export const workMessage = <Of extends Queue>({ version }: Of, work: WorkOf<Of>): string =>
  JSON.stringify({ version, ...(work as object) });

/** @throws UnreadableMessage */
export function readWork<Of extends Queue>(queue: Of, text: string): WorkOf<Of> {
  const value = parse(text);
  const version = value instanceof Object && 'version' in value ? value.version : 1;
  if (version !== queue.version) {
    throw new UnreadableMessage(
      'unknown_version',
      `The message has version ${JSON.stringify(version)}; this program knows ${queue.version} of ${queue.name}.`,
    );
  }
  return checked(queue.work, value) as WorkOf<Of>;
}

/** @throws UnreadableMessage */
export const readAnswer = <Schema extends TSchema>(schema: Schema, text: string): Static<Schema> =>
  checked(schema, parse(text));

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UnreadableMessage('malformed', 'The message is not JSON.');
  }
}

function checked<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value;
  const [error] = Value.Errors(schema, value);
  throw new UnreadableMessage(
    'malformed',
    `The message is not as its schema says: ${error?.instancePath || 'it'} ${error?.message ?? ''}`.trim() +
      '.',
  );
}
