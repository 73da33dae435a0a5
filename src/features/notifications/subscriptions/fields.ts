import { Type } from 'typebox'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { quoted } from '#server/http/json-text.ts'
import { IdInput, Time } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'
import { enabledField, ResourceName, TargetType } from '../deliveries/schema.ts'

const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const
const Frequency = Type.Unsafe<(typeof FREQUENCIES)[number]>({
  title: 'SubscriptionFrequency',
  type: 'string',
  enum: FREQUENCIES,
  description: 'Every day, every Monday, or on the first of each month.',
})
const Hour = Type.Integer({
  minimum: 0,
  maximum: 23,
  description: "Hour of the day in the project's time zone. Default: 9.",
})

const IdOrNull = Type.Union([Type.Integer(), Type.Null()])
const IdInputOrNull = Type.Union([IdInput(), Type.Null()])

export const subscriptionResource = defineResource('subscriptions', {
  id: { schema: Type.Integer() },
  insight: { schema: IdOrNull, column: 'insight_id', write: IdInputOrNull },
  dashboard: { schema: IdOrNull, column: 'dashboard_id', write: IdInputOrNull },
  resource_name: {
    schema: ResourceName,
    read: (_row: unknown, { resourceName }: { readonly resourceName: string }) =>
      quoted(resourceName),
  },
  title: {
    schema: Type.String(),
    write: Type.String({
      maxLength: 255,
      description: "Default: the insight's or dashboard's name.",
    }),
    log: true,
  },
  enabled: enabledField,
  frequency: { schema: Frequency, write: Frequency, log: true },
  hour: { schema: Hour, write: Hour, default: 9, log: true },
  target_type: { schema: TargetType, write: TargetType, log: true },
  target_value: {
    schema: Type.String(),
    write: Type.String({
      maxLength: 2000,
      description: 'URL of the webhook, or the e-mail address.',
    }),
    log: true,
  },
  next_delivery_date: { schema: Time },
  created_at: { schema: Time },
  created_by: userField('created_by'),
})
