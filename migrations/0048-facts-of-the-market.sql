-- Facts of all stocks by the instant they became known: ties and events that peers are measured with, halts, the newest
-- news.
create index reported_fact_market on reported_fact (kind, known_at)
  where kind in ('earnings_report', 'halt', 'news', 'profile', 'theme_exposure');
drop index reported_fact_halt;
drop index reported_fact_news_known;
