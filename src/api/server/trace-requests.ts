import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSpan, Tracing } from '../../base/tracing.ts';

/** A span for each request, which continues the trace of the caller. Without tracing there is no hook. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  if (!tracing.isOn) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const route = routeOptions.url ?? 'unknown';
    const span = tracing.begin({
      name: `${method} ${route}`,
      kind: 'server',
      attributes: { 'http.request.method': method, 'http.route': route, 'tigraph.request_id': request.id },
      headers,
    });
    spans.set(request, span);
    span.run(done);
  });
  app.addHook('onResponse', (request, { statusCode }, done) => {
    spans.get(request)?.end({ 'http.response.status_code': statusCode }, statusCode >= 500);
    done();
  });
  // A caller who hangs up gets no answer.
  app.addHook('onRequestAbort', (request, done) => {
    spans.get(request)?.end({ 'error.type': 'aborted' }, true);
    done();
  });
}
