import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { realTimers, stopwatch } from './timers.ts';
import type { OpenSpan, SpanStart, TraceHeaders, Tracing } from './tracing.ts';

/** Spans in memory; beyond it they are dropped. */
const WAITING_MAX = 2_048;
const AT_ONCE = 512;
const DELAY_MS = 1_000;
/** A collector that takes longer loses the spans. */
const EXPORT_TIMEOUT_MS = 2_000;
/** An outage of the collector is reported once in this time. */
const WARNING_INTERVAL_MS = 300_000;

const KINDS = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

const HEADERS: TextMapGetter<TraceHeaders> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name] as string | string[] | undefined,
};

/**
 * Sends spans as OTLP over HTTP. Loaded only where a collector is named. The library reads the other standard variables,
 * such as `OTEL_TRACES_SAMPLER` and `OTEL_EXPORTER_OTLP_HEADERS`. A collector that fails costs spans and nothing else.
 *
 * @param endpoint address of the collector, without `/v1/traces`
 * @param onFault receives why spans were lost, now and then
 */
export function otlpTracing(endpoint: string, version: string, onFault: (message: string) => void): Tracing {
  const processor = new BatchSpanProcessor(
    new OTLPTraceExporter({
      url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
      timeoutMillis: EXPORT_TIMEOUT_MS,
    }),
    {
      maxQueueSize: WAITING_MAX,
      maxExportBatchSize: AT_ONCE,
      scheduledDelayMillis: DELAY_MS,
      exportTimeoutMillis: EXPORT_TIMEOUT_MS,
    },
  );
  const provider = new BasicTracerProvider({
    // `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` come last, and win.
    resource: resourceFromAttributes({
      'service.name': 'tigraph',
      'service.version': version,
      'process.pid': process.pid,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [processor],
  });
  reportFaults(onFault);
  const tracer = provider.getTracer('tigraph', version);
  const propagator = new W3CTraceContextPropagator();
  const running = new AsyncLocalStorage<Context>();

  const contextOf = (headers?: TraceHeaders): Context =>
    headers === undefined
      ? (running.getStore() ?? ROOT_CONTEXT)
      : propagator.extract(ROOT_CONTEXT, headers, HEADERS);

  return {
    isOn: true,
    begin: ({ name, kind = 'internal', attributes = {}, headers, startedAt }: SpanStart): OpenSpan => {
      const parent = contextOf(headers);
      const startTime = startedAt === undefined ? {} : { startTime: performance.timeOrigin + startedAt };
      const span = tracer.startSpan(name, { kind: KINDS[kind], attributes, ...startTime }, parent);
      const context = trace.setSpan(parent, span);
      return {
        run: (work) => running.run(context, work),
        end(more = {}, failed = false) {
          span.setAttributes(more);
          if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    inject() {
      const headers: Record<string, string> = {};
      propagator.inject(contextOf(), headers, {
        set: (carrier, name, value) => {
          carrier[name] = value;
        },
      });
      return headers;
    },
    async close() {
      const abandoned = Promise.withResolvers<void>();
      const callOff = realTimers.after(EXPORT_TIMEOUT_MS, abandoned.resolve);
      await Promise.race([provider.shutdown().catch(() => {}), abandoned.promise]);
      callOff();
    },
  };
}

function reportFaults(onFault: (message: string) => void): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  setGlobalErrorHandler((error) => {
    if (stopwatch() - reportedAt < WARNING_INTERVAL_MS) return;
    reportedAt = stopwatch();
    onFault(typeof error === 'string' ? error : ((error as Error).message ?? String(error)));
  });
}
