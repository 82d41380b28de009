-- Whether any file holds simulated data is asked with every status; on a tape of recorded data all were read to tell.
create index tape_segment_simulated on tape_segment (id) where simulated;
