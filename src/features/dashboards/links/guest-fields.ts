import { Type } from 'typebox'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { Time, TimeOrNull } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'

const TextOrNull = (description: string) =>
  Type.Union([Type.String(), Type.Null()], { description })
const InputOrNull = (maxLength: number, description: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength }), Type.Null()], { description })

export const guestResource = defineResource('link_guests', {
  id: { schema: Type.Integer() },
  email: {
    schema: TextOrNull('Null: a domain.'),
    write: InputOrNull(254, 'The address of one person. Either this or `domain`.'),
    log: true,
  },
  domain: {
    schema: TextOrNull('Null: one address.'),
    write: InputOrNull(253, 'Everyone with an address at this domain: `example.com`.'),
    log: true,
  },
  expires_at: {
    schema: TimeOrNull,
    write: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description: 'From then on they can no longer open the link. Null: as long as it opens.',
    }),
    log: true,
  },
  created_by: userField('created_by'),
  created_at: { schema: Time },
})
