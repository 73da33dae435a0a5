import { EVENT_DESCRIPTIONS } from './event-descriptions.ts'

/** Returns undefined for an event that only the user knows. */
export const describeEvent = (name: string): string | undefined =>
  Object.hasOwn(EVENT_DESCRIPTIONS, name) ? EVENT_DESCRIPTIONS[name] : undefined
