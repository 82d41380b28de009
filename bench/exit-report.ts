/**
 * Loaded before a command under measurement: when the process ends it says on descriptor 3 what it
 * took. A parent cannot ask for the memory of a child that is gone.
 */
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// Threads load it too.
if (isMainThread) process.on('exit', report);

function report(): void {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  writeSync(3, JSON.stringify({ peakBytes: maxRSS * 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 }));
}
