import { type Static, Type } from 'typebox'
import { RunPreview } from '../runs/schema.ts'

const closed = { additionalProperties: false } as const
const Secret = Type.String({ minLength: 1, maxLength: 10_000 })
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Named = Type.Object({ name: Name, value: Secret }, closed)

/** A key for one request, in the place where `auth` of `connector.yaml` puts it. */
export const DraftKey = Type.Object(
  {
    bearer: Type.Optional(Secret),
    basic: Type.Optional(Type.Object({ user: Name, password: Secret }, closed)),
    header: Type.Optional(Named),
    query: Type.Optional(Named),
  },
  {
    ...closed,
    title: 'DraftKey',
    minProperties: 1,
    maxProperties: 1,
    description: 'The key of the API, in one place. It is used once and stored nowhere.',
  },
)
export type DraftKey = Static<typeof DraftKey>

export const DraftRequest = Type.Object(
  { url: Type.String({ minLength: 1, maxLength: 4000 }), key: Type.Optional(DraftKey) },
  { ...closed, title: 'DraftRequest' },
)
export type DraftRequest = Static<typeof DraftRequest>

export const DraftResponse = Type.Object(
  {
    url: Type.String({ description: 'After redirects, without the key.' }),
    status: Type.Integer(),
    content_type: Type.String({ description: 'Empty if there is none.' }),
    link: Type.String({ description: 'The `Link` header, or empty.' }),
    body: Type.String({ description: 'As text. The key is masked.' }),
  },
  { ...closed, title: 'DraftResponse' },
)
export type DraftResponse = Static<typeof DraftResponse>

export const DraftTest = Type.Object(
  {
    files: Type.Record(Type.String(), Type.String(), {
      description: 'Source texts by file name, such as `plugin.json` and `connector.yaml`.',
    }),
    settings: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'The values of settings, secrets included. They are stored nowhere.',
      }),
    ),
    job: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: 'The job that runs. By default the scheduled task, or else the first job.',
      }),
    ),
  },
  { ...closed, title: 'DraftTest' },
)
export type DraftTest = Static<typeof DraftTest>

export const DraftOutcome = Type.Object(
  {
    state: Type.Unsafe<'succeeded' | 'failed'>({
      title: 'DraftState',
      type: 'string',
      enum: ['succeeded', 'failed'],
    }),
    message: Type.String({ description: 'Why it failed, or empty.' }),
    count: Type.Integer({ description: 'The number of events. A test ends after 1000 rows.' }),
    skipped_count: Type.Integer(),
    ...RunPreview.properties,
    log: Type.Array(
      Type.Object(
        {
          type: Type.Unsafe<'DEBUG' | 'LOG' | 'INFO' | 'WARN' | 'ERROR'>({
            title: 'DraftLogType',
            type: 'string',
            enum: ['DEBUG', 'LOG', 'INFO', 'WARN', 'ERROR'],
          }),
          message: Type.String(),
        },
        { ...closed, title: 'DraftLogLine' },
      ),
      { description: 'The first 100 lines.' },
    ),
  },
  { ...closed, title: 'DraftOutcome' },
)
export type DraftOutcome = Static<typeof DraftOutcome>
