import { at } from '../base/fault-points.ts';
import type { Database, Queryable } from '../database/database.ts';
import { columns } from './columns.ts';
import { nodeId } from './identity.ts';
import type { TextModel } from './text-models.ts';

/** A text of the graph that a model has no vector of, or one of a former text. */
export interface DueText {
  readonly nodeId: string;
  readonly label: 'News' | 'Playbook';
  readonly key: string;
  readonly text: string;
  readonly digest: string;
}

export interface EmbeddedText extends Omit<DueText, 'key' | 'text'> {
  /** Of unit length; null where the model knows nothing of the text. */
  readonly vector: Float32Array | null;
}

/** Nodes that are looked through in one statement, of which each costs some microseconds. */
const PAGE = 500;

/**
 * Pages of the news that a model has yet to embed, newest dates first. Each page is a statement of its own, so that
 * nothing is held while its texts are embedded.
 *
 * @param modelId null for a model that is not known yet, which has everything to embed
 */
export async function* dueNews(database: Queryable, modelId: () => number | null): AsyncIterable<DueText[]> {
  for (let before: string | null = null; ; ) {
    const page: { due: DueText[] | null; last: string | null }[] = await database.query(
      `with page as materialized (
         select id, key, props from node where label = 'News' and ($2::text is null or key < $2) order by key desc limit ${PAGE}),
       due as (
         select page.*, md5(page.props ->> 'headline') as digest, v.digest as known
         from page left join text_vector v on v.model_id = $1 and v.node_id = page.id)
       select min(key) as last, json_agg(json_build_object('nodeId', id, 'label', 'News', 'key', key,
         'text', props ->> 'headline', 'digest', digest) order by key desc)
         filter (where digest is distinct from known) as due
       from due`,
      [modelId(), before],
    );
    const { due, last } = page[0]!;
    if (due !== null) yield due;
    if (last === null) return;
    before = last;
  }
}

/** Texts of the library that a model has yet to embed. */
export async function duePlaybooks(
  database: Queryable,
  modelId: number | null,
  playbooks: readonly { readonly key: string; readonly text: string }[],
): Promise<DueText[]> {
  return database.query<DueText>(
    `select id as "nodeId", 'Playbook' as label, wanted.key, wanted.text, md5(wanted.text) as digest
     from unnest($2::uuid[], $3::text[], $4::text[]) as wanted (id, key, text)
     left join text_vector v on v.model_id = $1 and v.node_id = wanted.id
     where v.digest is distinct from md5(wanted.text) order by wanted.key`,
    [modelId, playbooks.map(({ key }) => nodeId('Playbook', key)), ...columns(playbooks, ['key', 'text'])],
  );
}

/** Makes sure of the nodes of the library; nodes of playbooks that it has no longer go, unless a day leads to them. */
export async function writePlaybooks(
  database: Database,
  playbooks: readonly { readonly key: string; readonly props: Readonly<Record<string, unknown>> }[],
): Promise<void> {
  const ids = playbooks.map(({ key }) => nodeId('Playbook', key));
  await database.atomically([
    {
      sql: `insert into node (id, label, key, props)
       select id, 'Playbook', key, props from unnest($1::uuid[], $2::text[], $3::json[]) as book (id, key, props)
       on conflict (id) do nothing`,
      parameters: [ids, playbooks.map(({ key }) => key), playbooks.map(({ props }) => JSON.stringify(props))],
    },
    {
      sql: `delete from node n where n.label = 'Playbook' and n.id <> all($1::uuid[])
         and not exists (select from edge e where e.target = n.id)`,
      parameters: [ids],
    },
  ]);
  at('playbooks.committed');
}

/** Keeps vectors; what has gone meanwhile, a node or the model, is left out. Writing the same again changes nothing. */
export async function writeTextVectors(
  database: Queryable,
  { id }: TextModel,
  texts: readonly EmbeddedText[],
): Promise<void> {
  await database.write(
    `insert into text_vector (model_id, node_id, label, digest, vector)
     select m.id, n.id, wanted.label, wanted.digest, wanted.vector::vector
     from unnest($2::uuid[], $3::text[], $4::text[], $5::text[]) as wanted (node_id, label, digest, vector)
     join text_model m on m.id = $1
     join node n on n.id = wanted.node_id
     on conflict (model_id, node_id) do update set digest = excluded.digest, vector = excluded.vector
     where text_vector.digest <> excluded.digest`,
    [
      id,
      ...columns(texts, ['nodeId', 'label', 'digest']),
      texts.map(({ vector }) => (vector === null ? null : vectorText(vector))),
    ],
  );
  at('text-vectors.committed');
}

/** A vector as PostgreSQL reads it. */
export const vectorText = (vector: Float32Array): string => `[${vector.join(',')}]`;
