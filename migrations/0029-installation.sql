-- Names the installation, so that a prefix of a bucket is never written by two, nor tidied up by another. One row at most.
create table installation (
  single boolean primary key default true check (single),
  id uuid not null default gen_random_uuid(),
  orphans_removed_at timestamptz
);
