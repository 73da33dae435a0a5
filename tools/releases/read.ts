import type { Send } from './content.ts'

const LISTS = [
  '/api/projects',
  '/api/environments/1/dashboards',
  '/api/environments/1/insights?basic=true',
  '/api/projects/1/annotations',
  '/api/projects/1/alerts',
  '/api/projects/1/cohorts',
  '/api/projects/1/persons',
  '/api/projects/1/groups?group_type_index=0',
  '/api/projects/1/event_definitions',
  '/api/projects/1/pipeline_import_apps_configs',
  '/api/organizations/@current/members',
  '/api/personal_api_keys',
]

/** Times and states that change while nobody changes anything. */
const VOLATILE =
  /^(last_|next_|cache_|is_cached|is_stale|state$|volume_|delivery_rate_|.*_refresh$|progress|metrics|updated_at$)/

export interface ReleaseRecord {
  /** The results of every tile, which must stay the same to the byte. */
  readonly results: readonly (readonly [string, unknown])[]
  /** Records, to which later versions can add fields. */
  readonly lists: readonly (readonly [string, unknown])[]
}

/** Reads everything that `fillRelease` has created. */
export async function readRelease(send: Send): Promise<ReleaseRecord> {
  const results: [string, unknown][] = []
  const { results: dashboards } = await send('GET', '/api/environments/1/dashboards')
  for (const { id } of dashboards) {
    const path = `/api/environments/1/dashboards/${id}`
    const { tiles } = await send('GET', `${path}?refresh=blocking`)
    for (const { insight } of tiles) results.push([insight.name, insight.result])
    const { access_token } = await send('GET', `${path}/sharing`)
    const shared = await send('GET', `/shared/${access_token}.json`)
    results.push(['shared', shared.dashboard.tiles.length])
  }
  const lists: [string, unknown][] = []
  for (const path of LISTS) {
    const body = await send('GET', path)
    lists.push([path, body.results ?? body])
  }
  return withoutVolatile({ results, lists })
}

/** Drops what changes while nobody changes anything, also from the record of a release that was made before it was known. */
export const withoutVolatile = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (key, each) => (VOLATILE.test(key) ? undefined : each)))
