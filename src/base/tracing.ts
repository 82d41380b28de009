/**
 * Spans of what a process does, which a collector of traces shows as one picture across processes. Parts get `Tracing`
 * as an argument; unless the operator names a collector it is `NO_TRACING`, which does nothing and loads nothing.
 */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** Headers of a request or a message; `traceparent` and `tracestate` are those of W3C Trace Context. */
export type TraceHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface SpanStart {
  /** Of a short list, such as `GET /stocks/:symbol`: values that differ go to the attributes. */
  readonly name: string;
  /** What asks and what answers in another process are `client` and `server`, of messages `producer` and `consumer`. */
  readonly kind?: 'client' | 'server' | 'producer' | 'consumer' | 'internal';
  readonly attributes?: SpanAttributes;
  /** Continues the trace of these headers; else that of the running span. */
  readonly headers?: TraceHeaders;
  /** By the stopwatch of `timers.ts`, if it began earlier. */
  readonly startedAt?: number;
}

export interface OpenSpan {
  /** Runs work whose spans are below this one. */
  run<T>(work: () => T): T;
  end(attributes?: SpanAttributes, failed?: boolean): void;
}

export interface Tracing {
  readonly isOn: boolean;
  begin(start: SpanStart): OpenSpan;
  /** The headers that carry the running span to another process; empty without one. */
  inject(): Readonly<Record<string, string>>;
  /** Sends what has ended, within a bounded time. */
  close(): Promise<void>;
}

const NO_SPAN: OpenSpan = { run: (work) => work(), end() {} };

export const NO_TRACING: Tracing = {
  isOn: false,
  begin: () => NO_SPAN,
  inject: () => ({}),
  close: async () => {},
};

/** Runs work in a span that ends with it; an error marks it as failed. */
export async function traced<T>(
  tracing: Tracing,
  start: () => SpanStart,
  work: () => Promise<T>,
): Promise<T> {
  if (!tracing.isOn) return work();
  const span = tracing.begin(start());
  try {
    const result = await span.run(work);
    span.end();
    return result;
  } catch (error) {
    span.end({ 'error.type': errorType(error) }, true);
    throw error;
  }
}

const errorType = (error: unknown): string =>
  String((error as { code?: unknown }).code ?? (error as Error)?.name ?? 'unknown');
