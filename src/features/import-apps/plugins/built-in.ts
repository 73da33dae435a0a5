import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { ON_REQUEST, RUN_BACKFILL } from '#model/app-limitation.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { COMPILER, compileApp } from '#server/runtime/compile.ts'
import { toReceives } from './package/manifest.ts'
import type { ConfigField, PublicJobs } from './schema.ts'
import { listBuiltInPlugins, upsertBuiltInPlugin } from './store.ts'

const APPS = new URL('../../../../apps/', import.meta.url)

/** The ids of the built-in apps by folder. They never change. */
const BUILT_IN: Readonly<Record<string, number>> = {
  'http-json': 1,
  csv: 2,
  'postgres-table': 3,
  'demo-data': 4,
  webhook: 5,
}

/** The folder of code that the built-in apps share. */
const SHARED = 'shared'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly main: string
  readonly config: readonly ConfigField[]
  readonly publicJobs?: PublicJobs
  readonly receives?: object
  readonly backfills?: boolean
}

/** Source texts by path, relative to the folder of all apps. */
type Sources = Readonly<Record<string, string>>

/** A built-in app has an hourly schedule and its public jobs, or handles requests. Some can import the past. */
const toCapabilities = ({ publicJobs = {}, receives, backfills }: Manifest) => ({
  scheduled_tasks: receives ? [] : ['runEveryHour'],
  jobs: Object.keys(publicJobs),
  methods: [...(receives ? [ON_REQUEST] : []), ...(backfills ? [RUN_BACKFILL] : [])],
})

/**
 * Updates the records of the built-in apps at every start, on any number of servers. Only changed apps are compiled.
 * Cached responses show plugins, so a change invalidates all of them, as a change of access does.
 */
export async function installBuiltInPlugins(db: Db): Promise<void> {
  const apps = await readBuiltInApps()
  const installed = new Map((await listBuiltInPlugins(db)).map((row) => [row.id, row]))
  const outdated = apps.filter(({ row }) => !isDeepStrictEqual({ ...installed.get(row.id) }, row))
  if (outdated.length === 0) return
  const compiled = await Promise.all(
    outdated.map(async ({ row, sources, main }) => ({
      ...row,
      code: await compileApp(sources, main),
    })),
  )
  await changeAccess(db, async (tx) => {
    for (const row of compiled) await upsertBuiltInPlugin(tx, row)
  })
}

export async function readBuiltInApps() {
  const shared = await readSources(SHARED)
  return Promise.all(Object.entries(BUILT_IN).map(([folder, id]) => readApp(folder, id, shared)))
}

async function readApp(folder: string, id: number, shared: Sources) {
  const sources = { ...shared, ...(await readSources(folder)) }
  const text = await readFile(new URL(`${folder}/plugin.json`, APPS), 'utf8')
  const manifest: Manifest = JSON.parse(text)
  const receives = toReceives(manifest.receives)
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex')
  const row = {
    id,
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    config_schema: JSON.stringify(manifest.config),
    public_jobs: JSON.stringify(manifest.publicJobs ?? {}),
    capabilities: JSON.stringify(toCapabilities(manifest)),
    receives: receives && JSON.stringify(receives),
    built_in: 1 as const,
    plugin_type: 'built_in' as const,
    compiled_by: `${COMPILER} ${hash}`,
  }
  return { row, sources, main: `${folder}/${manifest.main}` }
}

async function readSources(folder: string): Promise<Sources> {
  const names = (await readdir(new URL(`${folder}/`, APPS)))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort()
  const texts = await Promise.all(names.map((name) => readFile(new URL(name, APPS), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index] as string]))
}
