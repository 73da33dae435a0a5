import type { ErrorObject, ValidateFunction } from 'ajv'
import type { Caller } from '#server/access/guard.ts'
import { requireScope } from '#server/access/requirements.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import { doesNotExist, invalid } from '#server/errors.ts'
import { requireQuery } from '#server/features/results/check/check-query.ts'
import { loadAjv } from '#server/http/load-ajv.ts'
import { toTags } from '#server/resource/tags.ts'
import { listTiles, type TileRow } from '../tiles/store.ts'
import { findBuiltIn } from './built-in/built-in.ts'
import { TemplateJson } from './schema.ts'
import { findSourceDashboard, findTemplateRowByName } from './store.ts'
import { type Template, type TemplateTile, toLook, toTemplateTiles, toTitle } from './template.ts'

/** Finds a template by its exact name. A built-in one wins over the project's own. */
export async function findTemplate(
  db: Db,
  projectId: number,
  name: string,
): Promise<Template | undefined> {
  const builtIn = findBuiltIn(name)
  if (builtIn) return builtIn
  const row = await findTemplateRowByName(db, projectId, name)
  if (!row) return undefined
  return {
    name: row.name,
    description: row.description,
    filters: JSON.parse(row.filters),
    tags: JSON.parse(row.tags),
    tiles: toTemplateTiles(JSON.parse(row.tiles)),
  }
}

/** Turns a dashboard into a template, without its creator, sharing and collaborators. */
export async function getDashboardAsTemplate(
  tx: Tx,
  caller: Caller,
  id: number,
): Promise<Template> {
  requireScope(caller, 'dashboard:read') // otherwise a key with only template scopes could read dashboards
  const row = await findSourceDashboard(tx, caller.projectId, id)
  if (!row) throw doesNotExist('from_dashboard', id)
  const tiles = await listTiles(tx, caller.projectId, id)
  return {
    name: row.name,
    description: row.description,
    filters: JSON.parse(row.filters),
    tags: JSON.parse(row.tags),
    tiles: tiles.map(toTemplateTile),
  }
}

function toTemplateTile(row: TileRow): TemplateTile {
  const look = toLook({
    color: row.color,
    layouts: JSON.parse(row.layouts),
    show_description: row.show_description === null ? null : row.show_description === 1,
    filters_overrides: JSON.parse(row.filters_overrides),
  })
  if (row.insight_id === null)
    return { type: 'TEXT', body: row.body ?? '', ...toTitle(row), ...look }
  return {
    type: 'INSIGHT',
    name: row.name ?? '',
    description: row.description ?? '',
    query: JSON.parse(row.query ?? '{}'),
    ...look,
  }
}

let validate: ValidateFunction<TemplateJson> | undefined

/** Checks a template in a request against the published JSON schema. The messages are upstream's. */
export function requireTemplate(templateJson: unknown): Template {
  const { Ajv } = loadAjv()
  validate ??= new Ajv({ strict: false, verbose: true }).compile<TemplateJson>(TemplateJson)
  if (!validate(templateJson)) throw invalid(null, toMessage(validate.errors?.[0]))
  const tiles = toTemplateTiles(templateJson.tiles)
  for (const tile of tiles) {
    if (tile.type === 'INSIGHT') requireQuery(tile.query, 'template__tiles__query')
  }
  return {
    name: templateJson.template_name,
    description: templateJson.dashboard_description,
    filters: templateJson.dashboard_filters,
    tags: toTags(templateJson.tags ?? []),
    tiles,
  }
}

const UNKNOWN_ERROR: ErrorObject = { keyword: '', instancePath: '', schemaPath: '', params: {} }

function toMessage(error: ErrorObject = UNKNOWN_ERROR): string {
  const { keyword, params, data, message, instancePath } = error
  if (keyword === 'required') return `'${params.missingProperty}' is a required property`
  const value = JSON.stringify(data).slice(0, 200)
  if (keyword === 'type') return `${value} is not of type '${params.type}'`
  if (keyword === 'minItems') return '[] should be non-empty'
  if (keyword === 'maxLength' || keyword === 'maxItems') return `${value} is too long`
  return `${instancePath} ${message}`
}
