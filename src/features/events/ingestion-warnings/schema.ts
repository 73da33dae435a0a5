import { type Static, Type } from 'typebox'
import { Time } from '#server/http/schemas.ts'

const Warning = Type.Object(
  {
    type: Type.String(),
    timestamp: Time,
    details: Type.Object(
      {
        distinctId: Type.String({ description: 'The ID of the event.' }),
        otherDistinctId: Type.Union([Type.String(), Type.Null()], {
          description: 'The ID that was to be merged, or the type or key of the group.',
        }),
      },
      { additionalProperties: false },
    ),
  },
  { title: 'IngestionWarning', additionalProperties: false },
)

const WarningSummary = Type.Object(
  {
    type: Type.String({ description: '`cannot_merge_already_identified`, for example.' }),
    lastSeen: Time,
    count: Type.Integer(),
    warnings: Type.Array(Warning, { description: 'The newest 50.' }),
  },
  { title: 'IngestionWarningSummary', additionalProperties: false },
)
export type WarningSummary = Static<typeof WarningSummary>

export const WarningSummaries = Type.Object(
  { results: Type.Array(WarningSummary) },
  { title: 'IngestionWarningSummaries', additionalProperties: false },
)
