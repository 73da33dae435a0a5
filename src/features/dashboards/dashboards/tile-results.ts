import { LRUCache } from 'lru-cache'
import {
  type Filters,
  isFilled,
  listTileFilters,
  type ValueFilter,
} from '#model/dashboard-filters.ts'
import type { SectionChoices, ShownSections } from '#model/sections.ts'
import type { Caller } from '#server/access/guard.ts'
import { requireScope } from '#server/access/requirements.ts'
import { type ApiError, forbidden, invalid } from '#server/errors.ts'
import { type RefreshPolicy, toRefreshPolicy } from '#server/features/results/cache/refresh.ts'
import { type Lock, toLocked } from '#server/features/results/check/lock.ts'
import type { NarrowedDates } from '#server/features/results/check/narrow-dates.ts'
import { requireKnownFilters, type Variables } from '#server/features/results/check/overrides.ts'
import {
  type PreparedQuery,
  prepareQueries,
  type QueryRequest,
} from '#server/features/results/check/prepare-queries.ts'
import { withoutNames } from '#server/features/results/compute/name-persons.ts'
import type { QueryResult, Results } from '#server/features/results/results.ts'
import { listFoldedTiles } from '../tiles/folded-tiles.ts'
import type { TileRow } from '../tiles/store.ts'
import type { DashboardReadQuery } from './schema.ts'

/** The filters and variables that a dashboard applies to all of its tiles, as JSON. */
export interface DashboardFilters {
  readonly project_id: number
  readonly filters: string
  readonly variables: string
}

/** Filters and variables that replace the dashboard's for one request. */
export interface RequestOverrides {
  readonly filters?: Filters | undefined
  readonly value?: ValueFilter | undefined
  readonly variables?: Variables | undefined
  /** Days to which every tile is narrowed. */
  readonly dates?: NarrowedDates | undefined
  /** Filters that no tile goes without. */
  readonly lock?: Lock | undefined
}

/**
 * Parses the overrides in a query string. Those that choose other events than the dashboard need `query:read`, and
 * viewers have none, because even other dates show days that nobody published.
 */
export function toRequestOverrides(caller: Caller, query: DashboardReadQuery): RequestOverrides {
  if (caller.isViewer && OVERRIDES.some((name) => query[name])) throw viewersCannotFilter()
  const filters: Filters | undefined = parseObject('filters_override', query.filters_override)
  const variables = parseObject('variables_override', query.variables_override)
  const value = parseValueFilter(query.value_filter)
  if (filters) requireKnownFilters(filters, 'filters_override')
  const choosesEvents =
    isFilled(filters?.properties) || value || Object.keys(variables ?? {}).length > 0
  if (choosesEvents) requireScope(caller, 'query:read')
  return { filters, value, variables: variables as Variables | undefined }
}

const OVERRIDES = ['filters_override', 'variables_override', 'value_filter'] as const

const viewersCannotFilter = (): ApiError =>
  forbidden('Viewers see a dashboard with its own filters. Remove yours from the address.')

function parseValueFilter(text: string | undefined): ValueFilter | undefined {
  const given = parseObject('value_filter', text)
  if (!given) return undefined
  const { tile, properties, ...others } = given as Record<string, unknown>
  if (tile !== undefined && !Number.isInteger(tile)) {
    throw invalid('value_filter__tile', 'Enter the ID of a tile.')
  }
  if (!isFilled(properties)) throw invalid('value_filter__properties', 'Enter property filters.')
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) {
    throw invalid(`value_filter__${unknown}`, 'Only `tile` and `properties` are known.')
  }
  return { tile: tile as number, properties }
}

function parseObject(attr: string, text: string | undefined): object | undefined {
  if (text === undefined || text === '') return undefined
  try {
    const value = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  } catch {
    // refused below, like JSON that is not an object
  }
  throw invalid(attr, `Invalid JSON passed in ${attr} parameter`)
}

/** Parses the sections that a viewer opened or folded. `open` stands for all of them. */
export function toSectionChoices(text: string | undefined): ShownSections {
  if (text === 'open') return text
  const choices = parseObject('sections_override', text) ?? {}
  for (const [id, choice] of Object.entries(choices)) {
    if (choice === 'open' || choice === 'folded') continue
    throw invalid(`sections_override__${id.slice(0, 20)}`, 'Enter `open` or `folded`.')
  }
  return choices as SectionChoices
}

interface TileResultOptions {
  readonly policy: RefreshPolicy
  /** Default: open and folded as saved. */
  readonly sections?: ShownSections | undefined
  readonly overrides?: RequestOverrides | undefined
  /** For visitors of public links. */
  readonly hidesPersons?: boolean | undefined
}

/** Finds the results of the tiles that have a query, by tile id. Those in folded sections are not computed. */
export async function findTileResults(
  results: Results,
  dashboard: DashboardFilters,
  tiles: readonly TileRow[],
  { policy, overrides = {}, sections = {}, hidesPersons = false }: TileResultOptions,
): Promise<Map<number, QueryResult>> {
  const queried = tiles.filter(({ insight_id, query }) => insight_id !== null && query !== '{}')
  const folded = listFoldedTiles(tiles, sections)
  const prepare = createPreparer(dashboard, overrides)
  const find = async (shown: readonly TileRow[], when: RefreshPolicy) => {
    const all = await results.find(
      dashboard.project_id,
      await Promise.all(shown.map(prepare)),
      when,
    )
    const found = hidesPersons ? all.map(withoutPersons) : all
    return shown.map((tile, index) => [tile.id, found[index] as QueryResult] as const)
  }
  const found = await Promise.all([
    find(
      queried.filter(({ id }) => !folded.has(id)),
      policy,
    ),
    find(
      queried.filter(({ id }) => folded.has(id)),
      toRefreshPolicy('force_cache'),
    ),
  ])
  return new Map(found.flat())
}

function withoutPersons(result: QueryResult): QueryResult {
  const { row } = result
  return row?.results ? { ...result, row: { ...row, results: withoutNames(row.results) } } : result
}

interface PreparedTile {
  readonly inputs: readonly unknown[]
  readonly query: PreparedQuery | ApiError
}

/** Prepared queries by tile id: a polled dashboard parses and checks each query once. See docs/decisions/0043. */
const prepared = new LRUCache<number | string, PreparedTile>({ max: 5000 })

/** Creates the function that prepares the queries of a dashboard's tiles. */
function createPreparer(dashboard: DashboardFilters, overrides: RequestOverrides) {
  const ofAll = [dashboard.filters, dashboard.variables, JSON.stringify(overrides)]
  return async (tile: TileRow): Promise<PreparedQuery | ApiError> => {
    // days depend on the clock and the project, so their queries are not kept
    if (overrides.dates) return prepareTile(dashboard, tile, overrides)
    const inputs = [tile.query, tile.filters_overrides, tile.insight_id, ...ofAll]
    // a lock is of one tenant, whose queries would replace those of the others
    const key = overrides.lock ? `${tile.id} ${ofAll[2]}` : tile.id
    const kept = prepared.get(key)
    // compared, not hashed: a query has a thousand characters
    if (kept?.inputs.every((input, index) => input === inputs[index])) return kept.query
    const query = await prepareTile(dashboard, tile, overrides)
    prepared.set(key, { inputs, query })
    return query
  }
}

async function prepareTile(
  dashboard: DashboardFilters,
  tile: TileRow,
  overrides: RequestOverrides,
): Promise<PreparedQuery | ApiError> {
  const [query] = await prepareQueries([toRequest(dashboard, tile, overrides)])
  const { lock } = overrides
  return lock
    ? toLocked(query as PreparedQuery | ApiError, lock)
    : (query as PreparedQuery | ApiError)
}

/** The dates of the tile win over the dashboard's, and those of the request over both. */
function toRequest(
  { filters, variables }: DashboardFilters,
  tile: TileRow,
  overrides: RequestOverrides,
): QueryRequest {
  return {
    query: JSON.parse(tile.query as string),
    overrides: {
      filters: [
        ...listTileFilters(tile.id, JSON.parse(tile.filters_overrides), {
          dashboard: JSON.parse(filters),
          request: overrides.filters,
          value: overrides.value,
        }),
        ...(overrides.lock ? [{ properties: overrides.lock.properties }] : []),
      ],
      variables: { ...JSON.parse(variables), ...overrides.variables },
      dates: overrides.dates,
    },
    insightId: tile.insight_id as number,
  }
}
