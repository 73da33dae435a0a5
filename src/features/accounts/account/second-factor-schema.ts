import { type Static, Type } from 'typebox'
import { Time } from '#server/http/schemas.ts'
import { Code, codeSchema } from '../sessions/schema.ts'
import { MAX_PASSWORD } from '../users/passwords.ts'

export const SecondFactor = Type.Object(
  {
    is_enabled: Type.Boolean(),
    confirmed_at: Type.Union([Time, Type.Null()]),
    recovery_codes_left: Type.Integer(),
  },
  { title: 'SecondFactor', additionalProperties: false },
)
export type SecondFactor = Static<typeof SecondFactor>

const current_password = Type.Optional(
  Type.String({ maxLength: MAX_PASSWORD, description: 'Required if you have a password.' }),
)

export const SecondFactorStart = Type.Object(
  {
    current_password,
    code: Type.Optional(codeSchema('Required to replace a second factor that you have.')),
  },
  { title: 'SecondFactorStart' },
)
export type SecondFactorStart = Static<typeof SecondFactorStart>

export const SecondFactorKey = Type.Object(
  {
    secret: Type.String({ description: 'In base 32, to type into the authenticator app.' }),
    uri: Type.String({ description: '`otpauth://...`, the content of the QR code.' }),
  },
  { title: 'SecondFactorKey', additionalProperties: false },
)
export type SecondFactorKey = Static<typeof SecondFactorKey>

export const SecondFactorConfirm = Type.Object(
  { code: codeSchema('A code of the authenticator app.') },
  { title: 'SecondFactorConfirm' },
)

export const SecondFactorProof = Type.Object(
  { current_password, code: Code },
  { title: 'SecondFactorProof' },
)
export type SecondFactorProof = Static<typeof SecondFactorProof>

export const RecoveryCodes = Type.Object(
  {
    recovery_codes: Type.Array(Type.String(), {
      description: 'Shown only once. Each replaces one code of the authenticator app.',
    }),
  },
  { title: 'RecoveryCodes', additionalProperties: false },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>
