-- What is reported of a company rather than traded. Each row is one word about one subject (`key`, unique within symbol
-- and kind), which may be quoted from `known_at` on; a later word revises it from its own instant on. `value` holds the
-- fields as the program writes them.
create table reported_fact (
  symbol text not null,
  kind text not null,
  key text not null,
  known_at timestamptz not null,
  value json not null,
  feed text not null,
  primary key (symbol, kind, key, known_at)
);

-- A stock is read kind by kind within the window of each: what is older is never touched, however much there is of it.
create index reported_fact_window on reported_fact (symbol, kind, known_at);

-- Sectors of the whole market are read at once.
create index reported_fact_profile on reported_fact (symbol, known_at) where kind = 'profile';

insert into reported_fact (symbol, kind, key, known_at, value, feed)
select symbol, 'profile', 'company', known_at, profile, feed from company_profile;

drop table company_profile;
