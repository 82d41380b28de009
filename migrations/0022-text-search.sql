-- Full-text search over news. Words of the headline weigh more than words of the summary; the expression is that of
-- src/graph/search-news.ts, letter by letter, or the index is not used.
create index reported_fact_news_text on reported_fact using gin ((
  setweight(to_tsvector('english', value ->> 'headline'), 'A')
  || setweight(to_tsvector('english', coalesce(value ->> 'summary', '')), 'B')
)) where kind = 'news';

-- The newest news of all stocks.
create index reported_fact_news_known on reported_fact (known_at) where kind = 'news';

-- Word vectors are no longer made: their models and vectors go. Vectors of a provider stay. They are compared among news
-- that was known at the instant of the question, so they need neither an instant nor an index.
do $$
declare
  name text;
begin
  for name in select indexname from pg_indexes where tablename = 'text_vector' and indexname like 'text\_vector\_hnsw\_%' loop
    execute format('drop index %I', name);
  end loop;
end $$;
delete from text_model where name not like 'http/%';
drop index text_vector_known;
alter table text_vector drop column known_at;
