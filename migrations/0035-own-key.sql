-- A grant may carry what the operator's own key of a vendor streams.
alter table access_grant drop constraint access_grant_feed_check;
alter table access_grant add constraint access_grant_feed_check check (feed in ('delayed', 'realtime_sip', 'byok'));
