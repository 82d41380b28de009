-- A ticker that is asked for and not known is looked up among those that securities have traded under.
create index reported_fact_ticker on reported_fact ((value ->> 'ticker'), known_at) where kind = 'listing';
