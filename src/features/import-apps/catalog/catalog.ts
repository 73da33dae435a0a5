import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db } from '#server/db/schema.ts'
import { type Manifest, readManifests } from '../plugins/built-in.ts'
import { listAllPlugins } from '../plugins/plugins.ts'
import type { InstalledPlugin } from '../plugins/schema.ts'
import type { CatalogApp, CatalogQuery } from './schema.ts'

/** The license of this package, and so of the apps in it. */
const LICENSE = 'MIT'

/** Lists the apps that a project can use, built in and installed. */
export async function listCatalog(
  db: Db,
  { search = '', category }: Omit<CatalogQuery, keyof PageRange>,
  { limit, offset }: PageRange,
): Promise<Slice<CatalogApp>> {
  const manifests = await readManifests()
  const wanted = search.trim().toLowerCase()
  const found = (await listAllPlugins(db))
    .map((plugin) => toCatalogApp(plugin, manifests.get(plugin.id)))
    .filter((app) => category === undefined || app.category === category)
    .filter((app) => toText(app).includes(wanted))
  return { count: found.length, results: found.slice(offset, offset + limit) }
}

const toText = ({ name, description, category, streams }: CatalogApp): string =>
  [name, description, category, ...streams].join('\n').toLowerCase()

/** An app that is built in has its manifest here; what is said about another is in its record. */
const toCatalogApp = (plugin: InstalledPlugin, manifest: Manifest | undefined): CatalogApp => ({
  plugin: plugin.id,
  name: plugin.name,
  description: plugin.description,
  icon: plugin.icon,
  category: manifest?.category ?? 'Other',
  license: manifest ? LICENSE : null,
  streams: [...(manifest?.streams ?? [])],
  template: manifest?.template ?? null,
  docs: manifest ? `/docs/${manifest.docs}` : null,
  version: plugin.version,
  built_in: plugin.built_in,
  update_available:
    plugin.tag !== null && plugin.latest_tag !== null && plugin.tag !== plugin.latest_tag,
})
