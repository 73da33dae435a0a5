import { type Static, Type } from 'typebox'

const Time = Type.String({ format: 'date-time' })
const TimeOrNull = Type.Union([Time, Type.Null()])

export const Target = Type.Union([
  Type.Object(
    { type: Type.Literal('webhook'), url: Type.String() },
    { title: 'WebhookTarget', additionalProperties: false },
  ),
  Type.Object(
    { type: Type.Literal('email'), address: Type.String() },
    { title: 'EmailTarget', additionalProperties: false },
  ),
])
export type Target = Static<typeof Target>

export const TargetType = Type.Unsafe<Target['type']>({
  type: 'string',
  enum: ['webhook', 'email'],
})

/** As callers send it. Which of the fields is needed depends on the type, and is checked by hand: a union has no words. */
export const TargetInput = Type.Object(
  {
    type: TargetType,
    url: Type.Optional(Type.String({ maxLength: 2000, description: 'Of a webhook.' })),
    address: Type.Optional(Type.String({ maxLength: 254, description: 'Of an e-mail.' })),
  },
  { title: 'TargetInput' },
)
export type TargetInput = Static<typeof TargetInput>

export const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    event: Type.String({
      description: '`alert.firing`, `alert.resolved`, `subscription` or `test`.',
    }),
    target: Target,
    state: Type.String({ description: '`queued`, `delivered` or `failed`.' }),
    attempt: Type.Integer({ description: 'How often it was tried.' }),
    next_attempt_at: TimeOrNull,
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'What a webhook answered the last time.',
    }),
    error: Type.String({ description: 'Why it did not arrive the last time; empty if it did.' }),
    created_at: Time,
    delivered_at: TimeOrNull,
  },
  { title: 'Delivery', additionalProperties: false },
)
export type Delivery = Static<typeof Delivery>

export const ResourceName = Type.String({
  description: 'What the insight or dashboard is called; empty if it has no name.',
})

export const SigningSecret = Type.Object(
  {
    signing_secret: Type.String({
      description: 'Signs what webhooks get. It is shown here and never again.',
    }),
  },
  { title: 'SigningSecret', additionalProperties: false },
)
