import { Type } from 'typebox'

/** An object with fields that are stored as they are. */
export const AnyObject = Type.Object({}, { additionalProperties: true })

export const Time = Type.String({ format: 'date-time' })
export const TimeOrNull = Type.Union([Time, Type.Null()])
