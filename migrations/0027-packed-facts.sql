-- A value is JSON text in UTF-8, or a Zstandard frame of it: a quarter of the bytes go through the log, the cache and
-- the connection. A frame begins with a byte with which no JSON text begins, so texts stored before stay as they are.
alter table fact alter column value type bytea using convert_to(value, 'UTF8');
alter table fact alter column value set storage external;
