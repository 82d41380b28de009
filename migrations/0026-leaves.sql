-- Levels, patterns and price events are nodes of one stock-day alone and follow from its facts: a walk reads them there.
delete from edge where type in ('HAS_LEVEL', 'EXHIBITS', 'HAS_EVENT');
delete from node where label in ('Level', 'Pattern', 'PriceEvent');
