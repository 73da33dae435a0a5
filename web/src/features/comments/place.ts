import { fieldsOf } from '#model/json.ts'

/** The subject of a new comment: a tile, and perhaps a point in time of its chart. */
export interface CommentPlace {
  readonly tile: number
  readonly point?: string
}

/** The content of the drawer of comments: `all`, the ID of a comment, or the subject of a new one. */
export type ShownComments = string | CommentPlace

/** Reads `?comments=...`. */
export function toShownComments(value: unknown): ShownComments | undefined {
  if (typeof value === 'string') return value
  const { tile, point } = fieldsOf(value)
  if (typeof tile !== 'number') return undefined
  return typeof point === 'string' ? { tile, point } : { tile }
}
