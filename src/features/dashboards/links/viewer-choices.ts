import type { FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { ShownSections } from '#model/sections.ts'
import { toNetwork } from '#server/access/network.ts'
import { createThrottle } from '#server/access/throttle.ts'
import type { Db } from '#server/db/schema.ts'
import { type ApiError, forbidden, invalid } from '#server/errors.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import type { RequestOverrides } from '../dashboards/tile-results.ts'
import type { PageRules } from './open-link.ts'
import type { ViewerFilters, ViewerProperty, ViewerVariable } from './viewer-filters.ts'

/** Values that a viewer chose in the address of a page. */
interface Choices {
  readonly dates: {
    readonly date_from?: string | undefined
    readonly date_to?: string | undefined
  }
  readonly properties: readonly (readonly [ViewerProperty, value: string])[]
  readonly variables: readonly (readonly [
    ViewerVariable,
    value: ViewerVariable['values'][number],
  ])[]
}

export interface ViewerChoices {
  readonly filters: ViewerFilters
  /** The choices as they are written in the address, by the names of its parameters. */
  readonly chosen: ReadonlyMap<string, string>
  /** Narrow the tiles. undefined: nothing was chosen. */
  readonly overrides: RequestOverrides | undefined
}

/** The sections that one viewer sees open, and the choices that narrow the tiles. */
export interface View extends Pick<ViewerChoices, 'overrides'> {
  readonly sections: ShownSections
}

/** The parameters of properties and variables begin with these. */
export const PROPERTY = 'property.'
export const VARIABLE = 'variable.'

const DATES = ['date_from', 'date_to'] as const
/** Parameters of dashboards that would replace filters instead of narrowing them. */
const REPLACING = ['filters_override', 'variables_override', 'value_filter']
const MAX_LENGTH = 400

/** New choices per link and network: far more than a person makes. */
const NEW_CHOICES = { maxFailures: 100, windowMs: 10 * 60_000 }
const MAX_REMEMBERED = 5000

/**
 * Creates the function that reads what a viewer chose. New choices are limited, because each starts queries and stores
 * their results.
 */
export function createChoiceReader(db: Db) {
  const throttle = createThrottle(Date.now, NEW_CHOICES)
  const known = new LRUCache<string, true>({ max: MAX_REMEMBERED })

  function limit({ ip }: FastifyRequest, { id }: PageRules, chosen: ReadonlyMap<string, string>) {
    const key = JSON.stringify([id, ...chosen])
    if (known.has(key)) return
    const subject = `${toNetwork(ip)} link ${id}`
    throttle.require(subject)
    throttle.countFailure(subject)
    known.set(key, true)
  }

  return async (request: FastifyRequest, link: PageRules): Promise<ViewerChoices> => {
    const filters = toFilters(link)
    const chosen = listChosen(request.query as object)
    const choices = toChoices(filters, chosen)
    if (chosen.size === 0) return { filters, chosen, overrides: undefined }
    limit(request, link, chosen)
    return { filters, chosen, overrides: await toOverrides(db, link, choices) }
  }
}

const NOTHING: ViewerFilters = { dates: false, properties: [], variables: [] }

const toFilters = ({ viewer_filters }: PageRules): ViewerFilters =>
  viewer_filters === null ? NOTHING : JSON.parse(viewer_filters)

/** Lists the parameters that are choices. A form sends empty fields too, which are none. */
function listChosen(query: object): Map<string, string> {
  const chosen = new Map<string, string>()
  for (const [name, sent] of Object.entries(query)) {
    const isChoice =
      [...DATES, ...REPLACING].includes(name) ||
      [PROPERTY, VARIABLE].some((prefix) => name.startsWith(prefix))
    if (!isChoice || sent === '') continue
    if (typeof sent !== 'string') throw invalid(name, 'Choose one value.')
    if (sent.length > MAX_LENGTH) {
      throw invalid(
        name,
        `Ensure this field has no more than ${MAX_LENGTH} characters.`,
        'max_length',
      )
    }
    chosen.set(name, sent)
  }
  return chosen
}

/** Refuses by name what the link does not let viewers change. */
function toChoices(filters: ViewerFilters, chosen: ReadonlyMap<string, string>): Choices {
  const dates: Record<string, string> = {}
  const properties: [ViewerProperty, string][] = []
  const variables: [ViewerVariable, ViewerVariable['values'][number]][] = []
  for (const [name, text] of chosen) {
    const property = filters.properties.find(({ key }) => name === PROPERTY + key)
    const variable = filters.variables.find(({ code_name }) => name === VARIABLE + code_name)
    if (property) properties.push([property, requireOffered(name, property.values ?? [text], text)])
    else if (variable) variables.push([variable, requireOffered(name, variable.values, text)])
    else if (filters.dates && DATES.some((date) => date === name))
      dates[name] = requireDay(name, text)
    else throw notAllowed(name)
  }
  requireOrder(dates)
  return { dates, properties, variables }
}

const quote = (text: string): string => `"${text.slice(0, 100)}"`

const notAllowed = (name: string): ApiError =>
  forbidden(`This link does not let viewers change ${quote(name)}. Remove it from the address.`)

function requireOffered<Value>(name: string, values: readonly Value[], text: string): Value {
  const value = values.find((each) => String(each) === text)
  if (value !== undefined) return value
  const detail = `${quote(text)} is not one of the values that can be chosen.`
  throw invalid(name, detail, 'invalid_choice')
}

const DAY = /^[1-9]\d{3}-\d\d-\d\d$/

export function requireDay(name: string, text: string): string {
  if (DAY.test(text) && isInCalendar(text)) return text
  throw invalid(name, `${quote(text)} is not a day. Write one as 2026-03-01.`)
}

/** Dates count the 30th of February as a day of March. */
function isInCalendar(day: string): boolean {
  const time = Date.parse(`${day}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day)
}

export function requireOrder({ date_from, date_to }: Choices['dates'], attr = 'date_to'): void {
  if (date_from && date_to && date_from > date_to) {
    throw invalid(attr, 'The end must not be before the start.')
  }
}

async function toOverrides(
  db: Db,
  { project_id }: PageRules,
  { dates, properties, variables }: Choices,
): Promise<RequestOverrides> {
  return {
    filters: {
      properties: properties.map(([{ key, type, group_type_index }, value]) => ({
        ...{ key, type, value: [value], operator: 'exact' },
        ...(group_type_index !== null && { group_type_index }),
      })),
    },
    // beside those of the dashboard, which have other IDs: of one name, the last wins
    variables: Object.fromEntries(
      variables.map(([{ code_name }, value]) => [`viewer ${code_name}`, { code_name, value }]),
    ),
    dates: { ...dates, calendar: await getQueryContext(db, project_id) },
  }
}
