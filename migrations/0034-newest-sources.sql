-- The newest sources are shown with what was refused of them.
create index tape_unit_newest on tape_unit (imported_at desc);
