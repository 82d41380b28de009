-- Edges are named by what they say: a stock-day has an event and matches a playbook.
update edge set type = 'HAS_EVENT' where type = 'SAW';
update edge set type = 'MATCHES' where type = 'FITS';
