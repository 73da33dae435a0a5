import { type Static, Type } from 'typebox'
import { MIN_PASSWORD } from '#model/limits.ts'
import { MAX_PASSWORD } from '../users/passwords.ts'

export const NoContent = Type.Null({ description: 'Done.' })

export const Session = Type.Object(
  {
    id: Type.String(),
    user_agent: Type.String({ description: 'User-Agent of the browser.' }),
    address: Type.String(),
    created_at: Type.String({ format: 'date-time' }),
    last_used_at: Type.String({ format: 'date-time', description: 'Accurate to the hour.' }),
    expires_at: Type.String({ format: 'date-time' }),
    is_current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
  },
  { title: 'Session', additionalProperties: false },
)
export type Session = Static<typeof Session>

export const SessionParams = Type.Object({ id: Type.String() })

export const SignInMethods = Type.Object(
  {
    oidc: Type.Union(
      [
        Type.Object(
          {
            name: Type.String(),
            is_only: Type.Boolean({
              description:
                'Whether it is the only way in; passwords are for owners in an emergency.',
            }),
          },
          { title: 'OidcProvider', additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'OpenID Connect provider; null: none. Starts at `/sign-in/oidc`.' },
    ),
    mails_reset_links: Type.Boolean({
      description: 'Whether the server can mail a link to reset a forgotten password.',
    }),
    sends_mail: Type.Boolean({
      description: 'Whether the server can send mail, such as codes to guests of public links.',
    }),
    passkeys: Type.Boolean({
      description: 'Whether passkeys work at the address of this request.',
    }),
    needs_set_up: Type.Boolean({
      description: 'Whether the set-up link of the first start is still unused.',
    }),
  },
  { title: 'SignInMethods', additionalProperties: false },
)
export type SignInMethods = Static<typeof SignInMethods>

/** No valid address is longer. */
export const Email = Type.String({ minLength: 1, maxLength: 254 })
const Password = Type.String({ minLength: 1, maxLength: MAX_PASSWORD })

export const NewPassword = Type.String({
  minLength: 1,
  maxLength: MAX_PASSWORD,
  description: `At least ${MIN_PASSWORD} characters.`,
})

export const SignIn = Type.Object({ email: Email, password: Password }, { title: 'SignIn' })
export type SignIn = Static<typeof SignIn>

export const SecondStep = Type.Object(
  {
    methods: Type.Array(Type.Enum(['app', 'passkey', 'recovery'], { title: 'SecondStepMethod' }), {
      description:
        'What is accepted: a code of the authenticator app, a passkey, or a recovery code.',
    }),
  },
  {
    title: 'SecondStep',
    additionalProperties: false,
    description:
      'The password is right, and the account has a second factor: send a code to `/api/sign_in/second_step` within 10 minutes.',
  },
)
export type SecondStep = Static<typeof SecondStep>

/** Longer than any code as people write it. */
export const codeSchema = (description: string) =>
  Type.String({ minLength: 1, maxLength: 40, description })

export const Code = codeSchema(
  'A code of the authenticator app, or a recovery code. Spaces and hyphens are ignored.',
)

export const SecondStepCode = Type.Object({ code: Code }, { title: 'SecondStepCode' })

const Token = Type.String({ minLength: 1, maxLength: 200, description: 'From the link.' })

export const PasswordReset = Type.Object(
  { token: Token, password: NewPassword },
  { title: 'PasswordReset' },
)
export type PasswordReset = Static<typeof PasswordReset>

export const PasswordResetRequest = Type.Object({ email: Email }, { title: 'PasswordResetRequest' })

export const SetUp = Type.Object(
  {
    token: Token,
    first_name: Type.String({ minLength: 1, maxLength: 150 }),
    last_name: Type.Optional(Type.String({ maxLength: 150 })),
    email: Email,
    password: NewPassword,
  },
  { title: 'SetUp' },
)
export type SetUp = Static<typeof SetUp>
