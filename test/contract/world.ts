import { CONFIGS, DASHBOARDS, type TestApp } from '../app.ts'

/** The document's name for the uuid of a collaborator's user. */
export const COLLEAGUE = 'user__uuid'

/** Records that every kind of path can name. */
export interface World {
  readonly project: number
  readonly config: number
  readonly run: string
  readonly dashboard: number
  /** The uuid of the user who is a collaborator. */
  readonly colleague: string
  /** The uuid of a user who is none. */
  readonly newcomer: string
  readonly token: string
}

/** A config with a run, two dashboards of which one was copied from the other, and a collaborator. */
export async function createWorld(api: TestApp): Promise<World> {
  const { body: config } = await api.post(CONFIGS, { plugin: 1, enabled: true })
  const named = { accept: 'application/json' }
  const { body: run } = await api.post(`${CONFIGS}/${config.id}/job`, {}, named)
  const { body: source } = await api.post(DASHBOARDS, { use_template: 'DEFAULT_APP' })
  const text = { text: { body: 'Hello' } }
  const copy = { name: 'Copy', tags: ['a'], use_dashboard: source.id, tiles: [text] }
  const { body: dashboard } = await api.post(DASHBOARDS, copy)
  const colleague = await api.as({})
  const newcomer = await api.as({})
  const here = `${DASHBOARDS}/${dashboard.id}`
  await api.post(`${here}/collaborators`, { user_uuid: colleague.uuid, level: 37 })
  const { body: sharing } = await api.patch(`${here}/sharing`, { enabled: true })
  return {
    project: 1,
    config: config.id,
    run: run.id,
    dashboard: dashboard.id,
    colleague: colleague.uuid,
    newcomer: newcomer.uuid,
    token: sharing.access_token,
  }
}

/** Puts the world's ids into a path that is written as `/a/:id` or `/a/{id}`. */
export function fillPath(path: string, world: World): string {
  const values: Record<string, string | number> = {
    project_id: world.project,
    id: path.includes('pipeline') ? world.config : world.dashboard,
    dashboard_id: world.dashboard,
    run_id: world.run,
    [COLLEAGUE]: world.colleague,
    file: `${world.token}.json`,
  }
  const about = path.startsWith('/api/projects/:id') || path.startsWith('/api/projects/{id}')
  return path.replace(/:(\w+)|\{(\w+)\}/g, (_, plain, braced) => {
    const name = plain ?? braced
    const value = name === 'id' && about ? world.project : values[name]
    if (value === undefined) throw new Error(`No record for ${name} in ${path}`)
    return String(value)
  })
}

/** Every path below a project has a second address. */
export const toAlias = (path: string): string =>
  path.startsWith('/api/projects/')
    ? path.replace('/api/projects/', '/api/environments/')
    : path.replace('/api/environments/', '/api/projects/')
