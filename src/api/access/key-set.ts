import type { Static } from 'typebox';
import { Type } from '../../base/type.ts';

export const KeySet = Type.Object(
  {
    keys: Type.Array(
      Type.Object(
        {
          kty: Type.String(),
          crv: Type.String(),
          x: Type.String({ description: 'The public key.' }),
          kid: Type.String({ description: 'Its name; the header of a token says which one signed it.' }),
          alg: Type.String(),
          use: Type.String(),
        },
        { title: 'JsonWebKey' },
      ),
    ),
  },
  { title: 'JsonWebKeySet', description: 'Public keys that tokens of this installation verify with.' },
);

export type KeySet = Static<typeof KeySet>;
