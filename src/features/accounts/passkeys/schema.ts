import { type Static, Type } from 'typebox'
import { Time } from '#server/http/schemas.ts'
import { RecoveryCodes } from '../account/second-factor-schema.ts'
import { codeSchema } from '../sessions/schema.ts'
import { MAX_PASSWORD } from '../users/passwords.ts'

export const Passkey = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    created_at: Time,
    last_used_at: Type.Union([Time, Type.Null()]),
  },
  { title: 'Passkey', additionalProperties: false },
)
export type Passkey = Static<typeof Passkey>

export const PasskeyList = Type.Object(
  {
    results: Type.Array(Passkey),
    is_available: Type.Boolean({
      description: 'Whether passkeys work at the address of this request.',
    }),
  },
  { title: 'PasskeyList', additionalProperties: false },
)
export type PasskeyList = Static<typeof PasskeyList>

export const PasskeyProof = Type.Object(
  {
    current_password: Type.Optional(
      Type.String({ maxLength: MAX_PASSWORD, description: 'Required if you have a password.' }),
    ),
    code: Type.Optional(codeSchema('Required if you have an authenticator app.')),
  },
  { title: 'PasskeyProof' },
)
export type PasskeyProof = Static<typeof PasskeyProof>

/** Options as `PublicKeyCredential.parseCreationOptionsFromJSON` reads them. */
export const PasskeyOptions = Type.Object(
  { challenge: Type.String() },
  {
    title: 'PasskeyOptions',
    additionalProperties: true,
    description: 'The options of WebAuthn, as JSON. The challenge works once, for five minutes.',
  },
)

const base64 = (maxLength: number) => Type.String({ maxLength, pattern: '^[A-Za-z0-9_-]*$' })
/** The longest ID of a credential has 1023 bytes. */
const id = base64(1400)
const MAX_DATA = 20_000
const type = Type.Unsafe<'public-key'>({ type: 'string', enum: ['public-key'] })

const NewCredential = Type.Object(
  {
    id,
    rawId: id,
    type,
    response: Type.Object({
      clientDataJSON: base64(MAX_DATA),
      attestationObject: base64(MAX_DATA),
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 20 })),
    }),
  },
  { title: 'PasskeyRegistration', description: '`toJSON()` of the new credential.' },
)

export const PasskeyCreate = Type.Object(
  { name: Type.String({ minLength: 1, maxLength: 60 }), credential: NewCredential },
  { title: 'PasskeyCreate' },
)
export type PasskeyCreate = Static<typeof PasskeyCreate>

export const CreatedPasskey = Type.Object(
  {
    passkey: Passkey,
    recovery_codes: Type.Union([RecoveryCodes.properties.recovery_codes, Type.Null()], {
      description: 'With the first second factor of the account, shown only once; otherwise null.',
    }),
  },
  { title: 'CreatedPasskey', additionalProperties: false },
)
export type CreatedPasskey = Static<typeof CreatedPasskey>

export const PasskeySignIn = Type.Object(
  {
    credential: Type.Object(
      {
        id,
        rawId: id,
        type,
        response: Type.Object({
          clientDataJSON: base64(MAX_DATA),
          authenticatorData: base64(MAX_DATA),
          signature: base64(MAX_DATA),
          userHandle: Type.Optional(Type.Union([base64(100), Type.Null()])),
        }),
      },
      { title: 'PasskeyAssertion', description: '`toJSON()` of the credential.' },
    ),
  },
  { title: 'PasskeySignIn' },
)
export type PasskeySignIn = Static<typeof PasskeySignIn>

export const PasskeyParams = Type.Object({ id: Type.String() })
