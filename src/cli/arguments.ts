import { InvalidArgumentError } from 'commander'
import { isKeyScope, type KeyScope, SCOPES } from '../access/scopes.ts'
import {
  ORGANIZATION_LEVELS,
  type OrganizationLevel,
  toOrganizationLevel,
} from '../features/accounts/members/organization-levels.ts'
import { toId } from '../http/ids.ts'
import { PROJECT_LEVELS, type ProjectLevel } from '../model/levels.ts'

export function parseLevel(text: string): OrganizationLevel {
  const level = toOrganizationLevel(text)
  if (level !== undefined) return level
  throw new InvalidArgumentError(
    `Use one of ${Object.keys(ORGANIZATION_LEVELS).join(', ')}, or ${Object.values(ORGANIZATION_LEVELS).join(', ')}.`,
  )
}

export function parseProjectLevel(text: string): ProjectLevel {
  const level = PROJECT_LEVELS.find((known) => known === text)
  if (level !== undefined) return level
  throw new InvalidArgumentError(`Use one of ${PROJECT_LEVELS.join(', ')}.`)
}

export function parseProject(text: string): number {
  const id = toId(text)
  if (id !== undefined) return id
  throw new InvalidArgumentError('Use the id of a project: see `hedgerow project list`.')
}

export const parseProjects = (text: string, before: readonly number[] = []): number[] => [
  ...before,
  parseProject(text),
]

export function parseScopes(text: string, before: readonly KeyScope[] = []): KeyScope[] {
  if (isKeyScope(text)) return [...before, text]
  throw new InvalidArgumentError(`Use one of ${SCOPES.join(', ')} or *.`)
}

const DURATION = /^(\d{1,5})([hdw])$/
const HOURS = { h: 1, d: 24, w: 168 }
const DATE = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?)?(Z|[+-]\d\d:\d\d)?$/

/** Parses a duration from now, a date (midnight) or a date-time; in UTC unless an offset is given. */
export function parseExpiry(text: string): string {
  const time = toTime(text)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new InvalidArgumentError('Use a duration such as 30d or 12h, a date, or a date-time.')
}

function toTime(text: string): number {
  const [, count, unit] = DURATION.exec(text) ?? []
  if (count) return Date.now() + Number(count) * HOURS[unit as keyof typeof HOURS] * 3_600_000
  const [, date, time = 'T00:00', , , zone = 'Z'] = DATE.exec(text) ?? []
  return date && isCalendarDate(date) ? Date.parse(date + time + zone) : Number.NaN
}

/** Needed because Date.parse reads 30 February as 2 March. */
function isCalendarDate(date: string): boolean {
  const time = Date.parse(date)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

export const DEFAULT_RUNS = 4

export function parseRuns(text: string): number {
  if (/^[1-9]\d?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a whole number from 1 to 99.')
}
