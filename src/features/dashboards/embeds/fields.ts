import { Type } from 'typebox'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { Time, TimeOrNull } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'

export const secretResource = defineResource('embed_secrets', {
  id: { schema: Type.Integer() },
  kid: { schema: Type.String({ description: 'Names the secret in the header of a token.' }) },
  last_used_at: {
    schema: { ...TimeOrNull, description: 'When it last opened an embed, to the hour.' },
  },
  created_by: userField('created_by'),
  created_at: { schema: Time },
})

const MAX_ORIGINS = 50

export const settingsResource = defineResource('embed_settings', {
  jwks_url: {
    schema: Type.Union([Type.String(), Type.Null()]),
    write: Type.Union([Type.String({ minLength: 1, maxLength: 1000 }), Type.Null()], {
      description:
        'Where the public keys are that sign tokens with RS256, as a JSON Web Key Set. Null: none.',
      examples: ['https://example.com/.well-known/jwks.json'],
    }),
    log: true,
  },
  embed_origins: {
    schema: Type.Union([Type.Array(Type.String()), Type.Null()]),
    write: Type.Union(
      [Type.Array(Type.String({ maxLength: 300 }), { maxItems: MAX_ORIGINS }), Type.Null()],
      {
        description:
          'The origins of the pages that may frame embeds, such as `https://example.com`. Null: any page. Empty: none.',
      },
    ),
    log: true,
  },
})
