import { expect, it } from 'vitest';
import { PLAYBOOK_TEXTS } from '../../../src/blocks/playbook-texts.ts';
import { openTextPass } from '../../../src/pipeline/text-pass.ts';
import { freshApp } from '../../support/app.ts';
import { startCommand } from '../../support/command.ts';
import { lettersAnswer, providerSettings, startProvider } from '../../support/embeddings-provider.ts';
import { manyNews, syncNews } from '../../support/news-market.ts';

it('a pass over the texts loses nothing that was written when its process is killed', async () => {
  let kill = (): void => {};
  const provider = await startProvider((call, number) => {
    if (number !== 2) return lettersAnswer(call);
    kill();
    return 'silence';
  });
  const settings = providerSettings(provider);
  const { app, store } = await freshApp(settings);
  await syncNews(app, manyNews(100));
  const { dataDirectory, databaseUrl = '' } = store.options;
  const command = startCommand(['sync'], {
    ...settings,
    TIGRAPH_DATA_DIR: dataDirectory,
    DATABASE_URL: databaseUrl,
    LOG_LEVEL: 'silent',
  });
  kill = () => void command.process.kill('SIGKILL');
  const result = await command.ended;
  expect(result.signal, command.output()).toBe('SIGKILL');
  const vectors = 'select count(*)::integer as count from text_vector';
  const books = PLAYBOOK_TEXTS.length;
  expect(await app.context.database.query(vectors)).toEqual([{ count: books + 64 }]);
  expect(await openTextPass(app.context)()).toMatchObject({ embedded: 36, failed: 0 });
  expect(await app.context.database.query(vectors)).toEqual([{ count: books + 100 }]);
});
