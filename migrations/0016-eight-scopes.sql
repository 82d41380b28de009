-- An exchange asks for eight scopes at most, so there are eight. `internal:call` now opens the internal addresses by itself,
-- which took both words before; a grant with one of them could not use it from elsewhere, and cannot now.

update access_grant
set scopes = case
  when scopes @> array['diffusion:compute', 'internal:call'] then array_remove(scopes, 'diffusion:compute')
  else array_remove(array_remove(scopes, 'diffusion:compute'), 'internal:call')
end
where scopes && array['diffusion:compute', 'internal:call'];
