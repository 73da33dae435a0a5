import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { invalid } from '#server/errors.ts'
import { requireQuery } from '../insights/check-query.ts'
import { toTags } from '../tags.ts'
import { TemplateJson } from './schema.ts'
import type { Template } from './template.ts'
import { toTemplateTiles } from './to-tiles.ts'

let validate: ValidateFunction<TemplateJson> | undefined

/** Checked against the schema that is served, and refused in the words that clients of it know. */
export function requireTemplate(sent: unknown): Template {
  validate ??= new Ajv({ strict: false, verbose: true }).compile<TemplateJson>(TemplateJson)
  if (!validate(sent)) throw invalid(null, describe((validate.errors as ErrorObject[])[0]))
  const tiles = toTemplateTiles(sent.tiles)
  for (const tile of tiles) {
    if (tile.type === 'INSIGHT') requireQuery(tile.query, 'template__tiles__query')
  }
  return {
    name: sent.template_name,
    description: sent.dashboard_description,
    filters: sent.dashboard_filters,
    tags: toTags(sent.tags ?? []),
    tiles,
  }
}

function describe({
  keyword,
  params,
  data,
  message,
  instancePath,
}: ErrorObject = NO_ERROR): string {
  if (keyword === 'required') return `'${params.missingProperty}' is a required property`
  const value = JSON.stringify(data).slice(0, 200)
  if (keyword === 'type') return `${value} is not of type '${params.type}'`
  if (keyword === 'minItems') return '[] should be non-empty'
  if (keyword === 'maxLength' || keyword === 'maxItems') return `${value} is too long`
  return `${instancePath} ${message}`
}

const NO_ERROR = { keyword: '', instancePath: '', schemaPath: '', params: {} }
