import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { isExplorerBuilt } from '../api/server/explorer.ts';

const BUILD = fileURLToPath(new URL('../../explorer/build.mjs', import.meta.url));

/** Builds the Explorer where the installation did not. The service runs without it, too. */
export async function buildExplorer(): Promise<void> {
  if (isExplorerBuilt()) return;
  console.log('Building the Explorer, some seconds, once …');
  const building = spawn(process.execPath, [BUILD], { stdio: ['ignore', 'ignore', 'pipe'] });
  let fault = '';
  building.stderr.on('data', (text: Buffer) => {
    fault += text;
  });
  const [code] = await once(building, 'close');
  if (code === 0) return;
  const reason = /^\w*Error.*$/m.exec(fault)?.[0] ?? `exit code ${code}`;
  console.log(
    `The Explorer could not be built (${reason}). The API is served without it; \`npm ci\` repairs this.`,
  );
}
