import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { ON_REQUEST, RUN_BACKFILL } from '#model/app-limitation.ts'
import { changeAccess } from '#server/db/change.ts'
import type { Db } from '#server/db/schema.ts'
import { bundlePackage, readPackageVersion } from '#server/runtime/bundle-package.ts'
import { COMPILER, compileApp } from '#server/runtime/compile.ts'
import {
  compileConnector,
  createSourceReader,
  INTERPRETER,
  type ReadSources,
} from './package/connector.ts'
import { CONNECTOR_FILE } from './package/connector-streams.ts'
import { toReceives } from './package/manifest.ts'
import type { Category, ConfigField, PublicJobs } from './schema.ts'
import { listBuiltInPlugins, upsertBuiltInPlugin } from './store.ts'

const APPS = new URL('../../../../apps/', import.meta.url)

/** The ids of the built-in apps by folder. They never change. */
const BUILT_IN: Readonly<Record<string, number>> = {
  'http-json': 1,
  csv: 2,
  'postgres-table': 3,
  'demo-data': 4,
  webhook: 5,
  stripe: 6,
  github: 7,
  'google-sheets': 8,
  'hacker-news': 9,
  'npm-downloads': 10,
  gitlab: 11,
  hubspot: 12,
  zendesk: 13,
  airtable: 14,
  rss: 15,
  plausible: 16,
  s3: 17,
  'mysql-table': 20,
}

/** The folders of code of a built-in app, besides its own. */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  'google-sheets': ['shared', 'csv'],
  'postgres-table': ['shared', 'table'],
  'mysql-table': ['shared', 'table'],
  s3: ['shared', 'csv', 'http-json'],
}

/** The npm packages that a built-in app brings into its sandbox. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = { s3: ['hyparquet'] }

/** The plugin.json of a built-in app. */
export interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  /** Absent: the app has a `connector.yaml`. */
  readonly main?: string
  readonly config: readonly ConfigField[]
  readonly publicJobs?: PublicJobs
  readonly receives?: object
  readonly backfills?: boolean
  /** Has an `icon.svg`. */
  readonly icon?: boolean
  readonly category: Category
  readonly streams?: readonly string[]
  /** The name of the dashboard template for its events. */
  readonly template?: string
  /** The page about it, below /docs. */
  readonly docs: string
}

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
    outdated.map(async ({ row, compile }) => ({ ...row, code: await compile() })),
  )
  await changeAccess(db, async (tx) => {
    for (const row of compiled) await upsertBuiltInPlugin(tx, row)
  })
}

export function readBuiltInApps() {
  const read = createSourceReader()
  return Promise.all(Object.entries(BUILT_IN).map(([folder, id]) => readApp(folder, id, read)))
}

/** Reads what the catalog shows, by the id of the app. */
export async function readManifests(): Promise<ReadonlyMap<number, Manifest>> {
  const entries = Object.entries(BUILT_IN).map(async ([folder, id]) => {
    return [id, await readManifest(folder)] as const
  })
  return new Map(await Promise.all(entries))
}

async function readApp(folder: string, id: number, read: ReadSources) {
  const manifest = await readManifest(folder)
  const receives = toReceives(manifest.receives)
  const { sources, compile } = await readCode(folder, manifest, read)
  const hash = createHash('sha256').update(JSON.stringify(sources)).digest('hex')
  const row = {
    id,
    name: manifest.name,
    version: manifest.version,
    description: manifest.description,
    icon: manifest.icon ? await readIcon(folder) : null,
    config_schema: JSON.stringify(manifest.config),
    public_jobs: JSON.stringify(manifest.publicJobs ?? {}),
    capabilities: JSON.stringify(toCapabilities(manifest)),
    receives: receives && JSON.stringify(receives),
    built_in: 1 as const,
    plugin_type: 'built_in' as const,
    compiled_by: `${COMPILER} ${hash}`,
  }
  return { folder, row, compile }
}

/** Parses a connector only to compile it, because that takes time at a start. */
async function readCode(folder: string, { main, config }: Manifest, read: ReadSources) {
  if (main !== undefined) {
    const files = await read([...(SHARED[folder] ?? ['shared']), folder])
    const packages = PACKAGES[folder] ?? []
    const versions = await Promise.all(packages.map(readPackageVersion))
    const compile = async () => {
      const bundles = await Promise.all(packages.map(bundlePackage))
      return compileApp(Object.assign({}, files, ...bundles), `${folder}/${main}`)
    }
    return { sources: { ...files, ...versions }, compile }
  }
  const connector = await readAppFile(`${folder}/${CONNECTOR_FILE}`)
  const sources = { ...(await read(INTERPRETER)), [CONNECTOR_FILE]: connector }
  return { sources, compile: () => compileConnector(connector, config) }
}

const readIcon = async (folder: string): Promise<string> =>
  `data:image/svg+xml;base64,${btoa((await readAppFile(`${folder}/icon.svg`)).trim())}`

const readManifest = async (folder: string): Promise<Manifest> =>
  JSON.parse(await readAppFile(`${folder}/plugin.json`))

const readAppFile = (path: string): Promise<string> => readFile(new URL(path, APPS), 'utf8')
