import { type Static, Type } from 'typebox'
import { Time, TimeOrNull } from '#server/http/schemas.ts'

export const WEBHOOK_FORMATS = ['json', 'slack', 'teams'] as const

export const WebhookFormat = Type.Unsafe<(typeof WEBHOOK_FORMATS)[number]>({
  title: 'WebhookFormat',
  type: 'string',
  enum: WEBHOOK_FORMATS,
  description:
    'The body that the webhook expects: JSON with all fields, or a message for Slack or Microsoft Teams. Default: by the host of the URL.',
})
export type WebhookFormat = Static<typeof WebhookFormat>

export const Target = Type.Union([
  Type.Object(
    {
      type: Type.Literal('webhook'),
      url: Type.String(),
      format: Type.Optional(WebhookFormat),
    },
    { title: 'WebhookTarget', additionalProperties: false },
  ),
  Type.Object(
    { type: Type.Literal('email'), address: Type.String() },
    { title: 'EmailTarget', additionalProperties: false },
  ),
])
export type Target = Static<typeof Target>

export const TargetType = Type.Unsafe<Target['type']>({
  title: 'TargetType',
  type: 'string',
  enum: ['webhook', 'email'],
})

/** Flat, because errors of a union do not name the field. `requireTarget` checks which fields a type needs. */
export const TargetInput = Type.Object(
  {
    type: TargetType,
    url: Type.Optional(Type.String({ maxLength: 2000, description: 'Required for webhooks.' })),
    address: Type.Optional(Type.String({ maxLength: 254, description: 'Required for e-mail.' })),
    format: Type.Optional(WebhookFormat),
  },
  { title: 'TargetInput' },
)
export type TargetInput = Static<typeof TargetInput>

export const Delivery = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    event: Type.String({
      description:
        '`alert.firing`, `alert.resolved`, `import.failed`, `import.stale`, `import.skipped`, `import.schema_changed`, `import.recovered`, `subscription` or `test`.',
    }),
    target: Target,
    state: Type.String({ description: '`queued`, `delivered` or `failed`.' }),
    attempt: Type.Integer({ description: 'Number of attempts so far.' }),
    next_attempt_at: TimeOrNull,
    response_status: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the last webhook response.',
    }),
    error: Type.String({ description: 'Why the last attempt failed; empty if it did not.' }),
    created_at: Time,
    delivered_at: TimeOrNull,
  },
  { title: 'Delivery', additionalProperties: false },
)
export type Delivery = Static<typeof Delivery>

export const ResourceName = Type.String({
  description: 'Name of the insight or dashboard; empty if it has none.',
})

export const enabledField = {
  schema: Type.Boolean(),
  write: Type.Boolean({ description: 'Default: true.' }),
  default: true,
  log: true,
} as const

export const SigningSecret = Type.Object(
  {
    signing_secret: Type.String({
      description: 'Signs webhook requests. Shown only once.',
    }),
  },
  { title: 'SigningSecret', additionalProperties: false },
)
