import { useLocalStorage } from '@mantine/hooks'
import { createContext, useContext } from 'react'
import { toZoneTime } from '#model/zone-time.ts'
import type { Project } from '#server/features/accounts/projects/schema.ts'

/** The zone of all times on a page; undefined is that of the browser. */
export const ZoneContext = createContext<string | undefined>(undefined)

export const useZone = (): string | undefined => useContext(ZoneContext)

export const browserZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

/** Chooses between the zone of the project, which charts always have, and that of the browser. */
export function useZoneChoice(project: Pick<Project, 'timezone'> | undefined) {
  const [choice, choose] = useLocalStorage<'project' | 'browser'>({
    key: 'hedgerow-times',
    defaultValue: 'project',
    getInitialValueInEffect: false,
  })
  return { choice, choose, zone: choice === 'browser' ? undefined : project?.timezone }
}

/**
 * Returns a date whose UTC fields are those of a clock in the zone. Needs no `Intl`, whose first use costs 25 ms, for UTC
 * and the zone of the browser.
 */
export function toWallClock(time: string | number | Date, zone: string | undefined): Date {
  const date = new Date(time)
  if (zone === 'UTC' || Number.isNaN(date.getTime())) return date
  if (zone === undefined) return new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  const clock = Date.parse(`${toZoneTime(date, zone).replace(' ', 'T')}Z`)
  return new Date(clock + (date.getTime() % 1000))
}

/** Returns the moment at which a clock in the zone shows `2026-03-01 13:00:00`. */
export function fromWallClock(text: string, zone: string | undefined): Date {
  const shown = Date.parse(`${text.replace(' ', 'T')}Z`)
  const toOffset = (moment: number) => toWallClock(moment, zone).getTime() - moment
  // the offset may differ between the two moments, on the day when clocks change
  return new Date(shown - toOffset(shown - toOffset(shown)))
}
