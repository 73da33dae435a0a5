import { type Static, Type } from 'typebox'

export const Attachment = Type.Object(
  {
    key: Type.String({ description: 'The key of the setting.' }),
    uid: Type.String({ description: 'Changes whenever the file is replaced.' }),
    name: Type.String({ description: 'The file name; masked if the setting is a secret.' }),
    type: Type.String({ description: 'The content type.' }),
    size: Type.Integer({ description: 'The size in bytes; -1 if the setting is a secret.' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Attachment', additionalProperties: false },
)
export type Attachment = Static<typeof Attachment>

export const MAX_FILE_NAME = 400

export const AttachmentQuery = Type.Object({
  filename: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_FILE_NAME,
      description: '`Content-Disposition` works too. Defaults to the key.',
    }),
  ),
})
