import { type Static, Type } from 'typebox'
import { AnyObject } from '#server/http/schemas.ts'

export const User = Type.Object(
  {
    id: Type.Integer(),
    uuid: Type.String({ format: 'uuid' }),
    distinct_id: Type.String(),
    first_name: Type.String(),
    last_name: Type.String(),
    email: Type.String({ format: 'email' }),
    is_email_verified: Type.Boolean(),
    hedgehog_config: AnyObject,
  },
  { title: 'User', additionalProperties: false },
)
export type User = Static<typeof User>

/** null: created by the system. */
export const UserOrNull = Type.Union([User, Type.Null()])
