import { type Static, Type } from 'typebox'
import { PipelineConfigParams } from '../configs/schema.ts'

export const Attachment = Type.Object(
  {
    key: Type.String({ description: 'The setting that it fills.' }),
    uid: Type.String({ description: 'Another one whenever the file is replaced.' }),
    name: Type.String({ description: 'Of the file; masked when the setting is a secret.' }),
    type: Type.String({ description: 'Its content type.' }),
    size: Type.Integer({ description: 'In bytes; -1 when the setting is a secret.' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Attachment', additionalProperties: false },
)
export type Attachment = Static<typeof Attachment>

export const AttachmentParams = Type.Object({
  ...PipelineConfigParams.properties,
  key: Type.String({ description: 'The key of a setting of type `attachment`.' }),
})

export const MAX_FILE_NAME = 400

export const AttachmentQuery = Type.Object({
  filename: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_FILE_NAME,
      description: '`Content-Disposition` works too. The key if not given.',
    }),
  ),
})
