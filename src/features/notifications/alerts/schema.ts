import { type Static, Type } from 'typebox'
import { User, UserOrNull } from '#server/features/accounts/users/schema.ts'
import { PageQuery } from '#server/http/page.ts'
import { AnyObject, IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'
import { ResourceName, SigningSecret, Target, TargetInput } from '../deliveries/schema.ts'

const choice = <Value extends string>(
  title: string,
  values: readonly Value[],
  description?: string,
) =>
  Type.Unsafe<Value>({ title, type: 'string', enum: values, ...(description && { description }) })

const Bound = Type.Optional(Type.Union([Type.Number(), Type.Null()]))

const Condition = Type.Object(
  {
    type: choice(
      'AlertConditionType',
      ['absolute_value', 'relative_increase', 'relative_decrease'],
      'What is compared with the bounds: the value, or its increase or decrease since the previous interval.',
    ),
  },
  { title: 'AlertCondition' },
)
export type Condition = Static<typeof Condition>

const Threshold = Type.Object(
  {
    configuration: Type.Object({
      type: choice(
        'AlertThresholdType',
        ['absolute', 'percentage'],
        'A percentage is given as a fraction: 0.2 is 20%.',
      ),
      bounds: Type.Object({ lower: Bound, upper: Bound }),
    }),
  },
  { title: 'AlertThreshold', description: 'The alert fires below `lower` and above `upper`.' },
)
export type Threshold = Static<typeof Threshold>

const AlertConfig = Type.Object(
  {
    series_index: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        description: 'Index of the series in a trend. Default: 0.',
      }),
    ),
    check_ongoing_interval: Type.Optional(
      Type.Boolean({
        description: 'Include the current, incomplete interval. Default: false.',
      }),
    ),
  },
  { title: 'AlertConfig' },
)
export type AlertConfig = Static<typeof AlertConfig>

export const CHECK_INTERVALS = ['hourly', 'daily', 'weekly', 'monthly'] as const
const Interval = choice(
  'AlertInterval',
  CHECK_INTERVALS,
  'Checks at least this often. Default: hourly.',
)

export const Alert = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    insight: Type.Object(
      { id: Type.Integer(), short_id: Type.String(), name: ResourceName },
      { title: 'AlertInsight', additionalProperties: false },
    ),
    resource_name: ResourceName,
    name: Type.String(),
    enabled: Type.Boolean(),
    condition: Condition,
    threshold: Threshold,
    config: AlertConfig,
    targets: Type.Array(Target),
    subscribed_users: Type.Array(User, {
      description: 'The users who get an e-mail. Users without access to the project are left out.',
    }),
    calculation_interval: Interval,
    skip_weekend: Type.Boolean(),
    snoozed_until: TimeOrNull,
    state: choice('AlertState', ['Not firing', 'Firing', 'Errored', 'Snoozed']),
    last_checked_at: TimeOrNull,
    last_value: Type.Union([Type.Number(), Type.Null()]),
    last_error: Type.Union([Type.String(), Type.Null()], {
      description: 'Why the last check failed.',
    }),
    created_at: Time,
    created_by: UserOrNull,
  },
  { title: 'Alert', additionalProperties: false },
)
export type Alert = Static<typeof Alert>

export const AlertWithSecret = Type.Object(
  { ...Alert.properties, ...SigningSecret.properties },
  { title: 'AlertWithSecret', additionalProperties: false },
)
export type AlertWithSecret = Static<typeof AlertWithSecret>

/** An ID, or an object as it was read. */
const Reference = (options: { description?: string } = {}) =>
  Type.Union([IdInput(), Type.Object({ id: IdInput() })], options)

const requiredFields = {
  insight: Reference({ description: 'ID of the insight to watch.' }),
  threshold: Threshold,
}
const optionalFields = {
  condition: Condition,
  targets: Type.Array(TargetInput, {
    maxItems: 10,
    description: 'Required, unless there are `subscribed_users`.',
  }),
  subscribed_users: Type.Array(Reference(), {
    maxItems: 100,
    description: 'IDs of users with access to the project, who get an e-mail.',
  }),
  name: Type.String({ maxLength: 255, description: "Default: the insight's name." }),
  enabled: Type.Boolean({ description: 'Default: true.' }),
  config: AlertConfig,
  calculation_interval: Interval,
  skip_weekend: Type.Boolean({
    description:
      "Neither checks nor notifies on Saturdays and Sundays in the project's time zone. Default: false.",
  }),
  snoozed_until: TimeOrNull,
  schedule_restriction: Type.Union([AnyObject, Type.Null()], {
    description: 'Only null: alerts have no quiet hours.',
  }),
}

export const AlertCreate = Type.Object(
  { ...requiredFields, ...Type.Partial(Type.Object(optionalFields)).properties },
  { title: 'AlertCreate' },
)
export type AlertCreate = Static<typeof AlertCreate>

export const AlertPatch = Type.Partial(Type.Object({ ...requiredFields, ...optionalFields }), {
  title: 'AlertPatch',
})
export type AlertPatch = Static<typeof AlertPatch>

export const AlertQuery = Type.Object({
  ...PageQuery.properties,
  insight: Type.Optional(IdInput({ description: 'Only alerts on the insight with this ID.' })),
})
export type AlertQuery = Static<typeof AlertQuery>
