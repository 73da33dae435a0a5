import { type Static, Type } from 'typebox'
import type { Sensitivity } from '#model/usual-range.ts'
import type { Flag } from '#server/db/values.ts'
import { User } from '#server/features/accounts/users/schema.ts'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { quoted, toJsonText } from '#server/http/json-text.ts'
import { AnyObject, IdInput, Time, TimeOrNull } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'
import type { NamedInsight } from '../deliveries/notification.ts'
import { enabledField, ResourceName, Target, TargetInput } from '../deliveries/schema.ts'
import { WatchedList } from './imports/schema.ts'

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
      ['absolute_value', 'relative_increase', 'relative_decrease', 'anomaly'],
      'What is compared with the bounds: the value, or its increase or decrease since the previous interval or period. `anomaly` compares the value with the usual range of its hour or weekday, and needs no threshold.',
    ),
    sensitivity: Type.Optional(
      choice(
        'AlertSensitivity',
        ['low', 'medium', 'high'],
        'How soon a value is an anomaly. Default: medium.',
      ),
    ),
  },
  { title: 'AlertCondition' },
)
export type Condition = Static<typeof Condition>

export const toSensitivity = ({ sensitivity = 'medium' }: Condition): Sensitivity => sensitivity

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

const CHECK_INTERVALS = ['hourly', 'daily', 'weekly', 'monthly'] as const
const Interval = choice(
  'AlertInterval',
  CHECK_INTERVALS,
  'Checks at least this often. Default: hourly.',
)

/** An ID, or an object as it was read. */
const Reference = (options: { description?: string } = {}) =>
  Type.Union([IdInput(), Type.Object({ id: IdInput() })], options)

const SourceKind = choice('AlertSourceKind', ['insight', 'import'])

export const SourceInput = Type.Object(
  {
    kind: SourceKind,
    insight: Type.Optional(IdInput({ description: 'ID of the insight to watch.' })),
    config: Type.Optional(IdInput({ description: 'ID of the import app config to watch.' })),
  },
  {
    title: 'AlertSourceInput',
    description: 'What the alert watches. Default: the insight in `insight`.',
  },
)

const Source = Type.Union(
  [
    Type.Object(
      { kind: Type.Literal('insight'), insight: Type.Integer() },
      { title: 'InsightAlertSource', additionalProperties: false },
    ),
    Type.Object(
      { kind: Type.Literal('import'), config: Type.Integer() },
      { title: 'ImportAlertSource', additionalProperties: false },
    ),
  ],
  { description: 'What the alert watches.' },
)

const Watches = WatchedList({
  minItems: 1,
  uniqueItems: true,
  description:
    'What an alert on an import notifies about: `failed` and `stale` are one incident, and `recovered` is its end.',
})

interface AlertContext {
  readonly insight: NamedInsight | undefined
  /** The name of the import that it watches. */
  readonly importName: string | undefined
  readonly subscribers: readonly User[]
}

export const alertResource = defineResource('alerts', {
  id: { schema: Type.String({ format: 'uuid' }), column: 'uuid' },
  insight: {
    schema: Type.Union(
      [
        Type.Object(
          { id: Type.Integer(), short_id: Type.String(), name: ResourceName },
          { title: 'AlertInsight', additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'null for an alert on an import.' },
    ),
    read: (_row: unknown, { insight }: AlertContext) => toJsonText(insight ?? null),
    write: Type.Union([Reference(), Type.Null()], { description: 'ID of the insight to watch.' }),
  },
  source: {
    schema: Source,
    read: ({ insight_id, config_id }: Record<'insight_id' | 'config_id', number | null>) =>
      toJsonText(
        config_id === null
          ? { kind: 'insight', insight: insight_id }
          : { kind: 'import', config: config_id },
      ),
  },
  on: {
    schema: Type.Union([Watches, Type.Null()], { description: 'null for an alert on an insight.' }),
    column: 'watches',
    write: Type.Union([Watches, Type.Null()]),
    log: true,
  },
  resource_name: {
    schema: ResourceName,
    read: (_row: unknown, { insight, importName }: AlertContext) =>
      quoted(insight?.name ?? importName ?? ''),
  },
  name: {
    schema: Type.String(),
    write: Type.String({
      maxLength: 255,
      description: 'Default: the name of the insight or the import.',
    }),
    log: true,
  },
  enabled: enabledField,
  condition: {
    schema: Condition,
    write: Condition,
    default: { type: 'absolute_value' },
    log: true,
  },
  threshold: { schema: Threshold, write: Threshold, log: true },
  config: { schema: AlertConfig, write: AlertConfig, log: true },
  targets: {
    schema: Type.Array(Target),
    write: Type.Array(TargetInput, {
      maxItems: 10,
      description: 'Required, unless there are `subscribed_users`.',
    }),
    log: true,
  },
  subscribed_users: {
    schema: Type.Array(User, {
      description: 'The users who get an e-mail. Users without access to the project are left out.',
    }),
    column: 'subscribed_users',
    read: (_row: unknown, { subscribers }: AlertContext) => toJsonText(subscribers),
    write: Type.Array(Reference(), {
      maxItems: 100,
      description: 'IDs of users with access to the project, who get an e-mail.',
    }),
    log: true,
  },
  calculation_interval: { schema: Interval, write: Interval, default: 'hourly', log: true },
  skip_weekend: {
    schema: Type.Boolean(),
    write: Type.Boolean({
      description:
        "Neither checks nor notifies on Saturdays and Sundays in the project's time zone. Default: false.",
    }),
    log: true,
  },
  snoozed_until: { schema: TimeOrNull, write: TimeOrNull, log: true },
  state: { schema: choice('AlertState', ['Not firing', 'Firing', 'Errored', 'Snoozed']) },
  last_checked_at: { schema: TimeOrNull },
  next_check_at: {
    schema: Type.Union([Time, Type.Null()], {
      description: 'At the latest; a refresh of the insight checks it earlier. null: disabled.',
    }),
    read: ({ enabled, next_check_at }: { enabled: Flag; next_check_at: string }) =>
      enabled ? quoted(next_check_at) : 'null',
  },
  last_value: { schema: Type.Union([Type.Number(), Type.Null()]) },
  usual_range: {
    schema: Type.Union(
      [
        Type.Object(
          { lower: Type.Number(), upper: Type.Number() },
          { title: 'UsualRange', additionalProperties: false },
        ),
        Type.Null(),
      ],
      { description: 'Between which values the last one would have been no anomaly.' },
    ),
  },
  last_error: {
    schema: Type.Union([Type.String(), Type.Null()], { description: 'Why the last check failed.' }),
  },
  created_at: { schema: Time },
  created_by: userField('created_by'),
  schedule_restriction: {
    write: Type.Union([AnyObject, Type.Null()], {
      description: 'Only null: alerts have no quiet hours.',
    }),
  },
})
