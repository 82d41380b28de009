import { AckPolicy, type Consumer, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { headers, nanos } from '@nats-io/transport-node';
import type { Static } from 'typebox';
import { NEVER } from '../base/abortable.ts';
import { CodedError, isCoded } from '../base/errors.ts';
import { insist } from '../base/insist.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import type { Scope, Task } from '../base/scope.ts';
import { atMost, type Timers } from '../base/timers.ts';
import { type SpanStart, type Tracing, traced } from '../base/tracing.ts';
import { Type } from '../base/type.ts';
import type { AnswerOf, DeadLetter, Handle, Queue, WorkOf } from './bus.ts';
import { readAnswer, readWork, UnreadableMessage, workMessage } from './message.ts';
import { follow, isNotFound, type Nats, PUBLISH_TIMEOUT_MS, PULL_MS } from './nats-connection.ts';

/** Another process gets work whose process has not been heard of for this long. */
const ACK_WAIT_MS = 10_000;
const HEARTBEAT_MS = 3_000;
/** A process that was stopped for longer has lost its work. */
const HELD_MS = 9_000;
const TRIES_MAX = 5;
/** Wait before work is tried again after an error. */
const AGAIN_MS = 1_000;
/** Waits for a missing database, bucket or bus. */
const PAUSE_FIRST_MS = 100;
const PAUSE_MAX_MS = 2_000;
/** Work without an answer for this long is looked for: its message may have been lost with the servers. */
const RECHECK_MS = 15_000;
const ANSWER_TO = 'tigraph-answer-to';

/** Of a dead letter, which may not be longer than the message that it is about. */
const SHOWN_CHARACTERS = 100_000;

/** The answer as JSON text, or why there is none. */
const Answer = Type.Union([Type.Object({ answer: Type.String() }), Type.Object({ failure: Type.String() })]);
type Answer = Static<typeof Answer>;

const Letter = Type.Object({
  work: Type.String(),
  error: Type.Union([Type.String(), Type.Null()]),
  tries: Type.Integer(),
});
type Letter = Static<typeof Letter>;

interface Question {
  readonly resolve: (answer: Answer) => void;
}

/** Pulls in the shape of a queue: a durable consumer on the stream of work. */
export class WorkQueue {
  readonly #nats: Nats;
  readonly #self: string;
  readonly #timers: Timers;
  readonly #tracing: Tracing;
  readonly #refused: Counter;
  readonly #questions = new Map<string, Question>();
  #listening: Promise<void> | null = null;
  #isClosed = false;
  #asked = 0;

  /** @param self identifies this process; a part of its subjects */
  constructor(
    nats: Nats,
    self: string,
    { timers }: Pick<Scope, 'timers'>,
    { tracing, metrics }: { readonly tracing: Tracing; readonly metrics: Metrics },
  ) {
    this.#nats = nats;
    this.#self = self;
    this.#timers = timers;
    this.#tracing = tracing;
    this.#refused = metrics.counter(
      'tigraph_bus_refused_total',
      'Messages that this process could not read, by queue and reason.',
    );
  }

  async ask<Of extends Queue>(queue: Of, work: WorkOf<Of>, signal: AbortSignal): Promise<AnswerOf<Of>> {
    const { name } = queue;
    const span = (): SpanStart => ({ name: `ask ${kindOf(name)}`, kind: 'producer' });
    const message = workMessage(queue, work);
    const answer = await traced(this.#tracing, span, () => this.#ask(name, message, signal));
    return readAnswer(queue.answer, answer) as AnswerOf<Of>;
  }

  async #ask(queue: string, work: string, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    this.#listening ??= this.#listen();
    await this.#listening;
    const id = String(++this.#asked);
    const answered = Promise.withResolvers<Answer>();
    this.#questions.set(id, answered);
    const onAbort = (): void => answered.reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    answered.promise.catch(() => {});
    try {
      const seq = await this.#send(queue, id, work, signal);
      const answer = await this.#answerOf(queue, { id, seq, work }, answered.promise, signal);
      if ('answer' in answer) return answer.answer;
      throw new CodedError(
        'work_failed',
        `Work of the queue ${queue} failed ${TRIES_MAX} times: ${answer.failure}`,
      );
    } finally {
      this.#questions.delete(id);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Waits for the answer, and sends work again that has been lost without one. */
  async #answerOf(
    queue: string,
    sent: { readonly id: string; readonly seq: number; readonly work: string },
    answered: Promise<Answer>,
    signal: AbortSignal,
  ): Promise<Answer> {
    let { seq } = sent;
    for (;;) {
      const answer = await atMost(this.#timers, RECHECK_MS, answered);
      if (answer !== null) return answer;
      const missed = await this.#storedAnswer(sent.id).catch(() => null);
      if (missed !== null) return missed;
      if (await this.#isLost(seq).catch(() => false))
        seq = await this.#send(queue, sent.id, sent.work, signal);
    }
  }

  async #storedAnswer(id: string): Promise<Answer | null> {
    const { manager, prefix } = this.#nats;
    const stored = await manager.streams.getMessage(`${prefix}_answer`, {
      last_by_subj: this.#answerSubject(id),
    });
    return stored === null ? null : readAnswer(Answer, stored.string());
  }

  async #isLost(seq: number): Promise<boolean> {
    const { manager, prefix } = this.#nats;
    try {
      return (await manager.streams.getMessage(`${prefix}_work`, { seq })) === null;
    } catch (error) {
      return isNotFound(error);
    }
  }

  #answerSubject(id: string): string {
    return `${this.#nats.prefix}.answer.${this.#self}.${id}`;
  }

  /** Waits while the queue is full or the bus away; the identifier makes a second arrival of one message harmless. */
  async #send(queue: string, id: string, work: string, signal: AbortSignal): Promise<number> {
    const { client, prefix } = this.#nats;
    const answerTo = headers();
    answerTo.set(ANSWER_TO, this.#answerSubject(id));
    for (const [name, value] of Object.entries(this.#tracing.inject())) answerTo.set(name, value);
    return this.#insist(signal, async () => {
      const { seq } = await client.publish(`${prefix}.work.${queue}`, work, {
        headers: answerTo,
        msgID: `${this.#self}.${id}`,
        timeout: PUBLISH_TIMEOUT_MS,
      });
      return seq;
    });
  }

  /** Does it until it succeeds, the signal aborts or this closes. */
  #insist<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    return insist(work, {
      firstMs: PAUSE_FIRST_MS,
      maxMs: PAUSE_MAX_MS,
      signal,
      onFailure: async (error) => {
        if (this.#isClosed) throw new CodedError('shutting_down', undefined, { cause: error });
        await this.#nats.mend(error);
      },
    });
  }

  /** Receives the answers to this process for as long as it lives. */
  async #listen(): Promise<void> {
    const consume = async (): Promise<void> => {
      const messages = await follow(this.#nats, `answer.${this.#self}.>`, DeliverPolicy.All, (message) =>
        this.#onAnswer(message),
      );
      void messages.closed().then(async () => {
        if (this.#isClosed) return;
        await this.#insist(NEVER, consume).catch(() => {});
      });
    };
    await this.#insist(NEVER, consume);
  }

  /** One that cannot be read is no answer: the question is looked after again. */
  #onAnswer(message: JsMsg): void {
    try {
      const answer = readAnswer(Answer, message.string());
      this.#questions.get(message.subject.split('.').at(-1)!)?.resolve(answer);
    } catch (error) {
      this.#countRefusal('answers', error);
    }
  }

  /** @throws the error where it is another than an unreadable message */
  #countRefusal(queue: string, error: unknown): UnreadableMessage {
    if (!(error instanceof UnreadableMessage)) throw error;
    this.#refused.add(1, { queue: kindOf(queue), reason: error.refusal });
    return error;
  }

  take<Of extends Queue>(scope: Scope, queue: Of, atOnce: number, handle: Handle<Of>): void {
    for (let lane = 0; lane < atOnce; lane++)
      void scope.run(`work of ${queue.name}`, (task) => this.#lane(queue, handle, task));
  }

  /** Takes one piece after the other. */
  async #lane<Of extends Queue>(
    queue: Of,
    handle: Handle<Of>,
    { signal: stopping, waits }: Task,
  ): Promise<void> {
    let consumer: Consumer | null = null;
    const takeOne = async (): Promise<void> => {
      try {
        consumer ??= await this.#consumerOf(queue.name);
        const message = await waits(nextMessage(consumer, stopping));
        if (message !== null) await this.#handle(queue, message, handle, stopping);
      } catch (error) {
        // The server may have lost the consumer, or changes its leader.
        consumer = null;
        throw error;
      }
    };
    while (!stopping.aborted && !this.#isClosed) await this.#insist(stopping, takeOne).catch(() => {});
  }

  async #consumerOf(queue: string): Promise<Consumer> {
    const { client, manager, prefix } = this.#nats;
    const stream = `${prefix}_work`;
    const name = queue.replaceAll('.', '-');
    try {
      await manager.consumers.info(stream, name);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await manager.consumers.add(stream, {
        durable_name: name,
        filter_subject: `${prefix}.work.${queue}`,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ack_wait: nanos(ACK_WAIT_MS),
        // Tries are counted here, so that the last one can be told to who asked.
        max_deliver: -1,
        max_ack_pending: ACK_PENDING_MAX,
      });
    }
    return client.consumers.get(stream, name);
  }

  async #handle<Of extends Queue>(
    queue: Of,
    message: JsMsg,
    handle: Handle<Of>,
    stopping: AbortSignal,
  ): Promise<void> {
    const { name } = queue;
    const tries = message.info.deliveryCount;
    const text = message.string();
    if (tries > TRIES_MAX) {
      await this.#bury(name, message, { work: text, error: null, tries: TRIES_MAX });
      return;
    }
    const work = this.#read(queue, text);
    if (work instanceof UnreadableMessage) {
      await this.#bury(name, message, { work: text, error: work.message, tries });
      return;
    }
    const held = holdWork(message, stopping, this.#timers);
    const span = (): SpanStart => ({
      name: `do ${kindOf(name)}`,
      kind: 'consumer',
      headers: {
        traceparent: message.headers?.get('traceparent'),
        tracestate: message.headers?.get('tracestate'),
      },
    });
    try {
      const outcome = await traced(this.#tracing, span, () =>
        this.#patiently(() => handle(work, held.signal), held.signal),
      );
      await this.#answer(message, { answer: JSON.stringify(outcome) }, held.signal);
      message.ack();
    } catch (error) {
      if (held.signal.aborted) {
        // Stopped: another process may have it at once. Lost: it has it already.
        if (stopping.aborted) message.nak();
      } else if (tries < TRIES_MAX) {
        message.nak(AGAIN_MS);
      } else {
        await this.#bury(name, message, { work: text, error: (error as Error).message, tries });
      }
    } finally {
      held.release();
    }
  }

  /** While the database, the bucket or the bus is away, or two writers collide, nothing is wrong with the work. */
  #patiently<T>(handle: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return insist(handle, {
      firstMs: PAUSE_FIRST_MS,
      maxMs: PAUSE_MAX_MS,
      signal,
      onFailure(error) {
        if (!isTransient(error)) throw error;
      },
    });
  }

  #read<Of extends Queue>(queue: Of, text: string): WorkOf<Of> | UnreadableMessage {
    try {
      return readWork(queue, text);
    } catch (error) {
      return this.#countRefusal(queue.name, error);
    }
  }

  async #answer({ headers: sent }: JsMsg, answer: Answer, signal: AbortSignal): Promise<void> {
    const subject = sent?.get(ANSWER_TO) ?? '';
    if (!subject.startsWith(`${this.#nats.prefix}.answer.`)) return;
    await this.#insist(signal, () =>
      this.#nats.client.publish(subject, JSON.stringify(answer), { timeout: PUBLISH_TIMEOUT_MS }),
    );
  }

  /** Leaves work to an operator, and lets who asked know. */
  async #bury(queue: string, message: JsMsg, { work, error, tries }: Letter): Promise<void> {
    const { client, prefix } = this.#nats;
    const failure = error ?? 'the process that did it ended each time';
    const letter: Letter = { work: work.slice(0, SHOWN_CHARACTERS), error, tries };
    await client.publish(`${prefix}.dead.${queue}`, JSON.stringify(letter), { timeout: PUBLISH_TIMEOUT_MS });
    await this.#answer(message, { failure }, AbortSignal.timeout(PUBLISH_TIMEOUT_MS));
    message.term();
  }

  async deadLetters(): Promise<DeadLetter[]> {
    const { client, manager, prefix } = this.#nats;
    const stream = `${prefix}_dead`;
    const { state } = await manager.streams.info(stream);
    const letters: DeadLetter[] = [];
    if (state.messages === 0) return letters;
    const consumer = await client.consumers.get(stream, { deliver_policy: DeliverPolicy.All });
    const messages = await consumer.fetch({ max_messages: state.messages, expires: PULL_MS });
    for await (const message of messages) {
      const queue = message.subject.slice(`${prefix}.dead.`.length);
      letters.unshift({ ...letterOf(message.string()), queue, failedAt: message.time.getTime() });
    }
    return letters;
  }

  async clearDeadLetters(): Promise<void> {
    await this.#nats.manager.streams.purge(`${this.#nats.prefix}_dead`);
  }

  close(): void {
    this.#isClosed = true;
  }
}

/** What a dead letter says; one that something else has written, as it is. */
function letterOf(text: string): Letter {
  try {
    return readAnswer(Letter, text);
  } catch {
    return { work: text.slice(0, SHOWN_CHARACTERS), error: 'It is no letter of this program.', tries: 0 };
  }
}

/** The name of a queue without its part: spans have few names. */
const kindOf = (queue: string): string => queue.split('.')[0]!;

/** Pieces of one queue that processes hold at a time, all together. */
const ACK_PENDING_MAX = 1_000;

/** What trying again does not mend. */
const LASTING: ReadonlySet<string> = new Set(['tape_damaged', 'data_damaged']);

const isTransient = (error: unknown): boolean =>
  isCoded(error) &&
  (error.code === 'write_conflict' || (error.kind === 'unavailable' && !LASTING.has(error.code)));

/** The next message; null after a while without any. */
async function nextMessage(consumer: Consumer, stopping: AbortSignal): Promise<JsMsg | null> {
  const messages = await consumer.fetch({ max_messages: 1, expires: PULL_MS });
  const onStop = (): void => messages.stop();
  stopping.addEventListener('abort', onStop, { once: true });
  if (stopping.aborted) onStop();
  try {
    for await (const message of messages) return message;
    return null;
  } finally {
    stopping.removeEventListener('abort', onStop);
  }
}

/** Tells the server that the work goes on; the signal aborts when the process stops, or had been stopped for too long. */
function holdWork(message: JsMsg, stopping: AbortSignal, { monotonic, every }: Timers) {
  const lost = new AbortController();
  let heardAt = monotonic();
  const endHeartbeat = every(HEARTBEAT_MS, () => {
    if (monotonic() - heardAt > HELD_MS)
      lost.abort(new CodedError('lease_lost', 'Another process has the work.'));
    else message.working();
    heardAt = monotonic();
  });
  return {
    signal: AbortSignal.any([stopping, lost.signal]),
    release: endHeartbeat,
  };
}
