import { type Static, Type } from 'typebox'

export const PictureQuery = Type.Object({
  scheme: Type.Optional(
    Type.Unsafe<'light' | 'dark'>({
      title: 'ColorScheme',
      type: 'string',
      enum: ['light', 'dark'],
    }),
  ),
  width: Type.Optional(Type.Integer({ minimum: 200, maximum: 3000, description: 'CSS pixels.' })),
  height: Type.Optional(Type.Integer({ minimum: 120, maximum: 3000, description: 'CSS pixels.' })),
})
export type PictureQuery = Static<typeof PictureQuery>

export const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  pdf: 'application/pdf',
} as const
export type FileFormat = keyof typeof MEDIA_TYPES

/** Describes a file in the OpenAPI document. */
export const toResponseSchema = (format: FileFormat) => {
  const isText = format === 'csv' || format === 'svg' || format === 'json'
  const schema = isText ? Type.String() : Type.Unsafe({ type: 'string', format: 'binary' })
  const [mediaType] = MEDIA_TYPES[format].split(';') as [string]
  return {
    description: `As ${format.toUpperCase()}.`,
    content: { [mediaType]: { schema: format === 'json' ? Type.Unknown() : schema } },
  }
}
