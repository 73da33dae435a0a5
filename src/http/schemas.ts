import { Type } from 'typebox'

/** An object with fields that are stored as they are. */
export const AnyObject = Type.Object({}, { additionalProperties: true })

export const Time = Type.String({ format: 'date-time' })
export const TimeOrNull = Type.Union([Time, Type.Null()])

/** Refuses ids that no column can hold before they reach the database. */
export const IdInput = (options: { description?: string } = {}) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, ...options })
