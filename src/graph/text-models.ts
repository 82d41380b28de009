import { at } from '../base/fault-points.ts';
import type { Database, Queryable, QueryOptions } from '../database/database.ts';

/** What makes vectors of texts, as the store knows it. */
export interface TextModel {
  readonly id: number;
  readonly name: string;
  readonly dimensions: number;
  /** True once every text has had its vector of this model. */
  readonly isWhole: boolean;
}

/** Vectors taken away in one statement: others wait for no longer than some hundredths of a second. */
const DROPPED_AT_ONCE = 2_000;

const COLUMNS = 'id, name, dimensions, whole_at is not null as "isWhole"';

/** Null for a model that no text has been embedded with. */
export async function findTextModel(
  database: Queryable,
  name: string,
  options: QueryOptions = {},
): Promise<TextModel | null> {
  const [model] = await database.query<TextModel>(
    `select ${COLUMNS} from text_model where name = $1`,
    [name],
    options,
  );
  return model ?? null;
}

/** The model by its name, made when it is new. */
export async function useTextModel(database: Database, name: string, dimensions: number): Promise<TextModel> {
  const found = await findTextModel(database, name);
  if (found !== null) return found;
  await database.write(
    'insert into text_model (name, dimensions) values ($1, $2) on conflict (name) do nothing',
    [name, dimensions],
  );
  at('text-model.committed');
  return (await findTextModel(database, name))!;
}

/** Says that every text has its vector of a model, and takes away what older models left. */
export async function markTextModelClean(database: Database, { id }: TextModel): Promise<void> {
  await database.write(
    'update text_model set whole_at = clock_timestamp() where id = $1 and whole_at is null',
    [id],
  );
  at('text-model.completed');
  const older = await database.query<{ id: number }>(
    'select id from text_model where id < $1 and exists (select from text_model where id = $1) order by id',
    [id],
  );
  for (const model of older) await dropTextModel(database, model);
}

/** In small steps; until the last one the model is still known, so that an interruption is made up for. */
async function dropTextModel(database: Database, model: Pick<TextModel, 'id'>): Promise<void> {
  await database.write('update text_model set whole_at = null where id = $1', [model.id]);
  for (let dropped = DROPPED_AT_ONCE; dropped === DROPPED_AT_ONCE; ) {
    const rows = await database.write(
      `delete from text_vector where ctid = any(array(
         select ctid from text_vector where model_id = $1 limit ${DROPPED_AT_ONCE})) returning 1`,
      [model.id],
    );
    dropped = rows.length;
    at('text-vectors.dropped');
  }
  await database.write('delete from text_model where id = $1', [model.id]);
  at('text-model.dropped');
}
