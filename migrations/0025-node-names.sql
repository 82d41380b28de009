-- A node's identifier is made of its label and key, so that the two need no constraint of their own. Only nodes of these
-- labels are looked up by name; the levels, events and patterns of every stock-day, most of all nodes, are not.
alter table node drop constraint node_label_key_key;
create index node_name on node (label, key) where label in ('News', 'Playbook', 'Stock', 'StockDay');
