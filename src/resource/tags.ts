import { Type } from 'typebox'

export const tagsField = {
  schema: Type.Array(Type.String()),
  write: Type.Array(Type.String({ maxLength: 255 })),
  normalize: (tags: readonly string[]) => toTags(tags),
  log: true,
} as const

/** Trims tags and drops empty and repeated ones; keeps case and order. */
export const toTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
]
