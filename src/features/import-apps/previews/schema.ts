import { type Static, Type } from 'typebox'
import { DraftOutcome } from '../drafts/schema.ts'

const closed = { additionalProperties: false } as const

/** About 256 KiB of a file, as Base64. */
export const MAX_CONTENT = 360_000

const FileSample = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    content: Type.String({
      maxLength: MAX_CONTENT,
      description: 'The beginning of the file, in Base64. End it with a whole line.',
    }),
  },
  { ...closed, title: 'FileSample' },
)
export type FileSample = Static<typeof FileSample>

export const PreviewRequest = Type.Object(
  {
    settings: Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      additionalProperties: true,
      description: 'As in `config` of an update. Stored secrets stay if they are left out.',
    }),
    files: Type.Optional(
      Type.Record(Type.String(), FileSample, {
        description: 'Files by the key of their setting, instead of those that are stored.',
      }),
    ),
    removed: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 100,
        description: 'The keys of stored files to leave out.',
      }),
    ),
  },
  { ...closed, title: 'PreviewRequest' },
)
export type PreviewRequest = Static<typeof PreviewRequest>

export const PreviewColumn = Type.Object(
  {
    name: Type.String(),
    type: Type.String({
      description:
        '`text`, `number`, `boolean`, `list` or `object`; the SQL type of a column of a table.',
    }),
    example: Type.String(),
  },
  { ...closed, title: 'PreviewColumn' },
)
export type PreviewColumn = Static<typeof PreviewColumn>

const { log: _, ...outcome } = DraftOutcome.properties

export const ConfigPreview = Type.Object(
  {
    ...outcome,
    columns: Type.Array(PreviewColumn, {
      description: 'What the app found to choose from. Empty if it says nothing about it.',
    }),
  },
  { ...closed, title: 'ConfigPreview' },
)
export type ConfigPreview = Static<typeof ConfigPreview>
