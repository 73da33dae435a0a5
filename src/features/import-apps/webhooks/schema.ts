import { type Static, Type } from 'typebox'
import { PageQuery } from '#server/http/page.ts'
import { integerId } from '#server/http/params.ts'
import { PipelineConfigParams } from '../configs/schema.ts'

const Time = Type.String({ format: 'date-time' })

export const REQUEST_STATES = ['waiting', 'done', 'failed'] as const

const RequestState = Type.Unsafe<(typeof REQUEST_STATES)[number]>({
  title: 'WebhookRequestState',
  type: 'string',
  enum: REQUEST_STATES,
})

export const RequestParams = Type.Object({
  ...PipelineConfigParams.properties,
  request_id: integerId('a request'),
})

/** The rules by which the requests of a config are kept. */
const intake = {
  keep_days: Type.Integer({
    minimum: 1,
    maximum: 365,
    description: 'Handled requests are deleted after this.',
  }),
  keep_requests: Type.Integer({
    minimum: 100,
    maximum: 100_000,
    description: 'Of more handled requests, the oldest are deleted.',
  }),
  while_disabled: Type.Unsafe<'refuse' | 'hold'>({
    title: 'WhileDisabled',
    type: 'string',
    enum: ['refuse', 'hold'],
    description:
      'While the config is disabled, `refuse` responds 404; `hold` keeps requests until it is enabled.',
  }),
}

export const WebhookAddress = Type.Object(
  {
    path: Type.String({ description: 'The path of the address, which is a secret.' }),
    url: Type.Union([Type.String(), Type.Null()], {
      description: 'null if `HEDGEROW_URL` is not set: put the URL of this server before the path.',
    }),
    created_at: Time,
    previous: Type.Array(
      Type.Object({ path: Type.String(), expires_at: Time }, { title: 'PreviousAddress' }),
      { description: 'Replaced addresses that still work.' },
    ),
    methods: Type.Array(Type.String()),
    ...intake,
  },
  { title: 'WebhookAddress', additionalProperties: false },
)
export type WebhookAddress = Static<typeof WebhookAddress>

export const IntakePatch = Type.Partial(Type.Object(intake), {
  title: 'WebhookAddressPatch',
  additionalProperties: false,
})
export type IntakePatch = Static<typeof IntakePatch>
export type Intake = Required<IntakePatch>

export const DEFAULT_INTAKE: Intake = {
  keep_days: 7,
  keep_requests: 10_000,
  while_disabled: 'refuse',
}

export const Rotation = Type.Object(
  {
    grace_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 24 * 3600,
        description: 'How long the old address still works. Default: not at all.',
      }),
    ),
  },
  { title: 'AddressRotation', additionalProperties: false },
)

export const WebhookRequest = Type.Object(
  {
    id: Type.Integer(),
    received_at: Time,
    method: Type.String(),
    content_type: Type.String(),
    size: Type.Integer({ description: 'In bytes, of the body.' }),
    state: RequestState,
    message: Type.String({ description: 'Why it failed, or empty.' }),
    run_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The run that handled it last.',
    }),
  },
  { title: 'WebhookRequest', additionalProperties: false },
)
export type WebhookRequest = Static<typeof WebhookRequest>

export const WebhookRequestDetails = Type.Object(
  {
    ...WebhookRequest.properties,
    query: Type.String(),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Secrets are masked.' }),
    body: Type.String(),
  },
  { title: 'WebhookRequestDetails', additionalProperties: false },
)
export type WebhookRequestDetails = Static<typeof WebhookRequestDetails>

export const RequestQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(RequestState),
})

export const ReplayRange = Type.Object(
  {
    from: Type.Optional(Time),
    to: Type.Optional(Time),
    state: Type.Optional(RequestState),
  },
  { title: 'ReplayRange', additionalProperties: false },
)
export type ReplayRange = Static<typeof ReplayRange>

export const Replayed = Type.Object(
  { replayed: Type.Integer() },
  { title: 'ReplayedRequests', additionalProperties: false },
)
