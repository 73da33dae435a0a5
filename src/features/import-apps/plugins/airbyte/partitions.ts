import {
  type Component,
  isComponent,
  requireComponent,
  requireOnly,
  requireText,
  toList,
  typeOf,
  unsupported,
} from './component.ts'
import { toParameter } from './paginator.ts'
import { NO_SLICES, type Scope, toSetting, toText } from './templates.ts'

/** A stream in connector.yaml. */
export type Stream = Readonly<Record<string, unknown>> & { readonly name: string }

export interface Slices {
  readonly partitions: readonly Readonly<Record<string, unknown>>[]
  /** The stream above, as it stands in the manifest. */
  readonly parent?: { readonly part: Component; readonly at: string; readonly name: string }
  /** The parameters of the request that the values of slices become. */
  readonly query: Readonly<Record<string, string>>
  readonly slices: Scope['slices']
}

/** Turns a name into one that placeholders can use. */
export const toName = (text: string): string => {
  const name =
    text
      .trim()
      .replace(/[^\w-]+/g, '_')
      .slice(0, 100) || 'stream'
  return name === 'partition' ? 'partition_' : name
}

/** Translates partition routers: lists, and at most one stream above. */
export function toSlices(given: unknown, at: string, settings: ReadonlySet<string>): Slices {
  const scope: Scope = { settings, slices: NO_SLICES }
  const routers = toList(given).map((one, index) =>
    toRouter(one, Array.isArray(given) ? `${at}.${index}` : at, scope),
  )
  const parents = routers.flatMap(({ parent }) => parent ?? [])
  if (parents.length > 1) throw unsupported(at, 'a second stream above is not supported')
  return {
    partitions: routers.flatMap(({ partitions }) => partitions),
    query: Object.assign({}, ...routers.map(({ query }) => query)),
    slices: Object.assign({}, ...routers.map(({ slices }) => slices)),
    ...(parents[0] && { parent: parents[0] }),
  }
}

function toRouter(given: unknown, at: string, scope: Scope): Slices {
  const part = requireComponent(given, at)
  const type = typeOf(part, at, '')
  if (type === 'ListPartitionRouter') return toListed(part, at, scope)
  if (type === 'SubstreamPartitionRouter') return toParent(part, at, scope)
  throw unsupported(at, `${type} is not supported`)
}

function toListed(part: Component, at: string, scope: Scope): Slices {
  requireOnly(part, at, ['values', 'cursor_field', 'request_option'])
  const field = toText(part.cursor_field, part, `${at}.cursor_field`, scope)
  const name = toName(field)
  const values = Array.isArray(part.values)
    ? { values: part.values.map((one) => toText(one, part, `${at}.values`, scope)) }
    : { setting: toSetting(part.values, part, `${at}.values`, scope) }
  const place = `partition.${name}`
  return {
    partitions: [{ name, ...values }],
    query: toQuery(part, at, scope, place),
    slices: { [field]: place },
  }
}

function toParent(given: Component, at: string, scope: Scope): Slices {
  requireOnly(given, at, ['parent_stream_configs'])
  const configs = toList(given.parent_stream_configs)
  if (configs.length !== 1) throw unsupported(at, 'needs one stream above')
  const place = `${at}.parent_stream_configs.0`
  const part = requireComponent(configs[0], place)
  // that only changed records above are read would be faster, and is no difference otherwise
  requireOnly(part, place, [
    ...['stream', 'parent_key', 'partition_field', 'request_option', 'incremental_dependency'],
  ])
  const stream = requireComponent(part.stream, `${place}.stream`)
  const name = toName(requireText(stream.name, `${place}.stream.name`))
  const key = toText(part.parent_key, part, `${place}.parent_key`, scope)
  const field = toText(part.partition_field, part, `${place}.partition_field`, scope)
  const value = `${name}.${key}`
  return {
    partitions: [],
    parent: { part: stream, at: `${place}.stream`, name },
    query: toQuery(part, place, scope, value),
    slices: { [field]: value },
  }
}

function toQuery(part: Component, at: string, scope: Scope, value: string): Record<string, string> {
  if (!isComponent(part.request_option)) return {}
  const parameter = toParameter(part.request_option, `${at}.request_option`, part, scope)
  return parameter === undefined ? {} : { [parameter]: `{{${value}}}` }
}
