-- The keys by which push services know this installation: one pair.
create table alert_push_key (
  is_only boolean primary key default true check (is_only),
  public_key text not null,
  private_key text not null
);
