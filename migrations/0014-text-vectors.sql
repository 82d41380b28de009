-- Vectors of texts beside their nodes. A model is what makes them; vectors of two models are never compared. Its index is
-- made when it is first used, over its own vectors of news: models differ in dimensions, and an index has one number.

create table text_model (
  -- The higher one is the newer.
  id integer generated always as identity primary key,
  name text not null unique,
  dimensions integer not null check (dimensions between 1 and 16000),
  -- When every text had its vector for the first time; null until then.
  whole_at timestamptz
);

create table text_vector (
  model_id integer not null references text_model (id) on delete cascade,
  node_id uuid not null references node (id) on delete cascade,
  label text not null,
  -- MD5 of the text.
  digest text not null,
  -- From which instant the text may be quoted; null for one that always might.
  known_at timestamptz,
  -- Of unit length; null where the model knows nothing of the text.
  vector vector,
  primary key (model_id, node_id)
);
create index text_vector_node on text_vector (node_id);
create index text_vector_known on text_vector (model_id, label, known_at);
