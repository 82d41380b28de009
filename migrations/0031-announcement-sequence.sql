-- Announcements have numbers, without gaps and in the order in which their transactions commit: a process that has acted
-- on all up to a number has heard of every write before it.

alter table installation add column announced bigint not null default 0;

create or replace function announce(on_channel text, with_payload text) returns void language sql as $$
  insert into announcement (channel, payload) values (on_channel, with_payload)
$$;

-- At the commit, so that the row of the installation is locked for as long as that takes and no longer. With a bus the
-- number travels in the payload; PostgreSQL delivers notifications in order, so there it follows as one of its own.
create function number_announcement() returns trigger language plpgsql as $$
declare
  number bigint;
  through_bus boolean;
begin
  insert into installation (announced) values (1) on conflict (only_one)
    do update set announced = installation.announced + 1
    returning announced, bus into number, through_bus;
  if through_bus then
    update announcement set payload = payload || ' =' || number where id = new.id;
  else
    delete from announcement where id = new.id;
    perform pg_notify(new.channel, new.payload);
    perform pg_notify('tigraph_announced', number::text);
  end if;
  return null;
end $$;

create constraint trigger number_announcement after insert on announcement
  deferrable initially deferred for each row execute function number_announcement();

-- The processes that answer callers, and what each has heard: a writer that wants to wait until all of them have its
-- write asks here. A process that ended without a word is forgotten.
create table serving_process (
  id uuid primary key,
  heard bigint not null,
  expires_at timestamptz not null
);
