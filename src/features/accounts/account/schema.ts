import { type Static, Type } from 'typebox'
import { IdInput } from '#server/http/schemas.ts'
import { Email, NewPassword } from '../sessions/schema.ts'
import { MAX_PASSWORD } from '../users/passwords.ts'

const CurrentPassword = Type.String({ maxLength: MAX_PASSWORD })

export const MePatch = Type.Partial(
  Type.Object({
    first_name: Type.String({ minLength: 1, maxLength: 150 }),
    last_name: Type.String({ maxLength: 150 }),
    email: Email,
    current_password: Type.String({
      maxLength: MAX_PASSWORD,
      description: 'Required to change the e-mail, if you have a password.',
    }),
    set_current_team: IdInput({ description: 'ID of the new current project.' }),
  }),
  { title: 'MePatch' },
)
export type MePatch = Static<typeof MePatch>

export const PasswordChange = Type.Object(
  {
    current_password: Type.Optional(
      Type.Union([CurrentPassword, Type.Null()], {
        description: 'Required if you have a password.',
      }),
    ),
    new_password: NewPassword,
  },
  { title: 'PasswordChange' },
)
export type PasswordChange = Static<typeof PasswordChange>
