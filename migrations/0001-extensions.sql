-- Vectors beside the nodes that they embed.
create extension if not exists vector;
