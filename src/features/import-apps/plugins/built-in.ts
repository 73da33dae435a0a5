import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { changeAccess } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { now } from '#server/db/values.ts'
import { COMPILER, compileApp } from '#server/runtime/compile.ts'
import type { ConfigField, PublicJobs } from './schema.ts'

const APPS = new URL('../../../../apps/', import.meta.url)

/** The apps that every installation has, by folder. Their ids never change. */
const BUILT_IN: Readonly<Record<string, number>> = {
  'http-json': 1,
  csv: 2,
  'postgres-table': 3,
  'demo-data': 4,
}

/** Code that more than one of them uses. */
const SHARED = 'shared'

interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly main: string
  readonly config: readonly ConfigField[]
  readonly publicJobs: PublicJobs
}

/** By name, relative to the folder of all apps. */
type Sources = Readonly<Record<string, string>>

/** Each has a schedule and one public job, and nothing else that the server calls. */
const capabilitiesOf = ({ publicJobs }: Manifest) => ({
  scheduled_tasks: ['runEveryHour'],
  jobs: Object.keys(publicJobs),
  methods: [],
})

/**
 * Brings the built-in apps' records to this version's. Called at every start; any number of servers may. Usually nothing
 * has changed, and then nothing is compiled. Answers show plugins, so a change of one outdates every cached answer, as
 * a change of access does.
 */
export async function installBuiltInPlugins(db: Db): Promise<void> {
  const apps = await readBuiltInApps()
  const installed = new Map((await listInstalled(db)).map((row) => [row.id, row]))
  const outdated = apps.filter(({ row }) => !isDeepStrictEqual({ ...installed.get(row.id) }, row))
  if (outdated.length === 0) return
  const compiled = await Promise.all(
    outdated.map(async ({ row, sources, main }) => ({
      ...row,
      code: await compileApp(sources, main),
    })),
  )
  await changeAccess(db, async (tx) => {
    for (const row of compiled) await upsertPlugin(tx, row)
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
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex')
  const row = {
    id,
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    config_schema: JSON.stringify(manifest.config),
    public_jobs: JSON.stringify(manifest.publicJobs),
    capabilities: JSON.stringify(capabilitiesOf(manifest)),
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

/** All but the code, which is the largest part and follows from `compiled_by`. */
const listInstalled = (db: Db) =>
  db
    .selectFrom('plugins')
    .select(['id', 'name', 'version', 'description', 'config_schema', 'public_jobs'])
    .select(['capabilities', 'built_in', 'plugin_type', 'compiled_by'])
    .where('built_in', '=', 1)
    .execute()

type Row = Awaited<ReturnType<typeof readApp>>['row'] & { readonly code: string }

async function upsertPlugin(tx: Tx, row: Row): Promise<void> {
  const at = now()
  await tx
    .insertInto('plugins')
    .values({ ...row, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ ...row, updated_at: at }))
    .execute()
}
