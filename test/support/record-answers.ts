import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** What `record-answers.py` says of some cases; null where Python lacks numpy or scipy. */
export function recordAnswers<Answer>(cases: readonly object[]): Answer[] | null {
  const python = process.env.TIGRAPH_PYTHON ?? 'python3';
  try {
    execFileSync(python, ['-c', 'import numpy, scipy'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  const script = fileURLToPath(new URL('record-answers.py', import.meta.url));
  return JSON.parse(execFileSync(python, [script], { input: JSON.stringify(cases), encoding: 'utf8' }));
}
