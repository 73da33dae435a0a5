import { type Static, Type } from 'typebox'
import { AnyObject } from '#server/http/schemas.ts'

export const ExplainBody = Type.Object(
  { query: { ...AnyObject, description: 'A HogQLQuery, alone or as the `source` of a node.' } },
  { title: 'ExplainBody', additionalProperties: false },
)

export const Explanation = Type.Object(
  {
    summary: Type.Array(Type.String(), {
      description: 'In words: rows, time, what takes it, and limits.',
    }),
    milliseconds: Type.Integer({ description: 'The time of the first run.' }),
    rows_read: Type.Integer({ description: 'The rows that were read from tables.' }),
    rows_returned: Type.Integer(),
    has_more: Type.Boolean({ description: 'Whether a limit cut the result.' }),
    work: Type.Array(
      Type.Object(
        {
          name: Type.Unsafe<string>({
            title: 'QueryWorkName',
            type: 'string',
            enum: ['read', 'filter', 'join', 'group', 'window', 'sort', 'compute'],
          }),
          percent: Type.Integer({ description: 'Of the time that all steps took.' }),
        },
        { title: 'QueryWork', additionalProperties: false },
      ),
      { description: 'The longest first.' },
    ),
  },
  { title: 'Explanation', additionalProperties: false },
)
export type Explanation = Static<typeof Explanation>
