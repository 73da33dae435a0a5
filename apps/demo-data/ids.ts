import type { World } from './world.ts'

/** Returns a UUID of version 8, derived from the event's position in its world, so it is unique without randomness. */
export const eventId = ({ mark }: World, day: number, session: number, index: number): string =>
  `${mark.slice(0, 8)}-${mark.slice(8)}-8${hex(day, 3)}-8${hex(index, 3)}-${hex(session, 12)}`

export const hex = (number: number, digits: number): string =>
  number.toString(16).padStart(digits, '0')
