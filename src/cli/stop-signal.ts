/** Aborts at the first SIGTERM or SIGINT; a second one ends the process at once. */
export function stopSignal(): AbortSignal {
  const asked = new AbortController();
  const ask = (): void => {
    if (asked.signal.aborted) process.exit(130);
    asked.abort();
  };
  process.on('SIGTERM', ask);
  process.on('SIGINT', ask);
  return asked.signal;
}

/** Kept when the signal aborts. */
export function whenStopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
