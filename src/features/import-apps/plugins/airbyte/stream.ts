import { toAuth } from './authenticator.ts'
import {
  type Component,
  isComponent,
  requireComponent,
  requireJson,
  requireOnly,
  requireText,
  toList,
  typeOf,
  unsupported,
} from './component.ts'
import { toErrors } from './errors.ts'
import { toConditions } from './filter.ts'
import { findSliceTime, type SliceParameters, toIncremental } from './incremental.ts'
import { toPages } from './paginator.ts'
import { type Stream, toName, toSlices } from './partitions.ts'
import { toTarget } from './target.ts'
import { type Scope, toText } from './templates.ts'
import { toTransform } from './transformations.ts'

export interface Translated {
  readonly stream: Stream
  /** The stream above comes first. */
  readonly parent?: Translated
  /** The scheme and host of its requests, and their key: a connector has one of each. */
  readonly origin: string
  readonly auth: Readonly<Record<string, unknown>> | undefined
}

const ORIGIN = /^(?:https?:\/\/[^/?#]+|\{\{[\w-]+\}\})/

/** Translates a DeclarativeStream to a stream of connector.yaml. */
export function toStream(given: unknown, at: string, settings: ReadonlySet<string>): Translated {
  const part = requireComponent(given, at)
  requireType(part, at, 'DeclarativeStream')
  requireOnly(part, at, [
    ...['name', 'primary_key', 'retriever', 'incremental_sync', 'schema_loader'],
    'transformations',
  ])
  const retriever = requireComponent(part.retriever, `${at}.retriever`)
  requireType(retriever, `${at}.retriever`, 'SimpleRetriever')
  requireOnly(retriever, `${at}.retriever`, [
    ...['requester', 'record_selector', 'paginator', 'partition_router', 'name', 'primary_key'],
    ...['ignore_stream_slicer_parameters_on_paginated_requests', 'decoder'],
  ])
  requireJson(retriever, `${at}.retriever`)
  const routers = `${at}.retriever.partition_router`
  const { partitions, parent, query, slices } = toSlices(
    retriever.partition_router,
    routers,
    settings,
  )
  const scope: Scope = { settings, slices }
  const selector = toSelector(retriever, `${at}.retriever.record_selector`, scope)
  const request = toRequest(retriever, `${at}.retriever.requester`, scope)
  const pages = toPages(
    retriever.paginator,
    `${at}.retriever.paginator`,
    scope,
    selector.records ?? '',
  )
  const times = request.times
  const incremental = toIncremental(part.incremental_sync, `${at}.incremental_sync`, scope, times)
  if (!incremental && (times.start || times.end)) {
    throw unsupported(`${at}.incremental_sync`, 'is missing, but a parameter names its times')
  }
  const transform = toTransform(part.transformations, `${at}.transformations`, scope)
  const primaryKey = toPrimaryKey(part.primary_key, `${at}.primary_key`)
  const sent = { ...query, ...request.query, ...pages.query }
  const stream = {
    name: toName(requireText(part.name, `${at}.name`)),
    ...(parent && { parent: { stream: parent.name } }),
    ...(partitions.length > 0 && { partitions }),
    path: request.path,
    ...(Object.keys(sent).length > 0 && { query: sent }),
    ...(Object.keys(request.headers).length > 0 && { headers: request.headers }),
    ...selector,
    ...(pages.paginate && { paginate: pages.paginate }),
    ...(incremental && { incremental }),
    ...(primaryKey.length > 0 && {
      primary_key: primaryKey.length === 1 ? primaryKey[0] : primaryKey,
    }),
    ...toTarget(part, incremental?.field, primaryKey, transform),
    ...(request.errors.length > 0 && { errors: request.errors }),
  }
  const { origin, auth } = request
  return {
    stream,
    origin,
    auth,
    ...(parent && { parent: toStream(parent.part, parent.at, settings) }),
  }
}

function requireType(part: Component, at: string, wanted: string): void {
  const type = typeOf(part, at, wanted)
  if (type !== wanted) throw unsupported(at, `${type} is not supported`)
}

function toSelector({ record_selector: given }: Component, at: string, scope: Scope) {
  const part = requireComponent(given, at)
  requireType(part, at, 'RecordSelector')
  // values are imported as they come, so how the schema would change them does not matter
  requireOnly(part, at, ['extractor', 'record_filter', 'schema_normalization'])
  const extractor = requireComponent(part.extractor, `${at}.extractor`)
  requireType(extractor, `${at}.extractor`, 'DpathExtractor')
  requireOnly(extractor, `${at}.extractor`, ['field_path', 'decoder'])
  requireJson(extractor, `${at}.extractor`)
  const path = toList(extractor.field_path)
    .map((one) => toText(one, extractor, `${at}.extractor.field_path`, scope))
    .join('.')
  if (path.includes('*')) throw unsupported(`${at}.extractor.field_path`, '"*" is not supported')
  if (path.includes('{{')) {
    throw unsupported(`${at}.extractor.field_path`, 'values of config are not supported')
  }
  const filter = part.record_filter
  const conditions = isComponent(filter) ? toFilter(filter, `${at}.record_filter`, scope) : []
  return {
    ...(path !== '' && { records: path }),
    single: true,
    ...(conditions.length > 0 && { filter: conditions }),
  }
}

function toFilter(part: Component, at: string, scope: Scope) {
  requireType(part, at, 'RecordFilter')
  requireOnly(part, at, ['condition'])
  return toConditions(requireText(part.condition, `${at}.condition`), `${at}.condition`, scope)
}

function toRequest({ requester: given }: Component, at: string, scope: Scope) {
  const part = requireComponent(given, at)
  requireType(part, at, 'HttpRequester')
  requireOnly(part, at, [
    ...['url_base', 'url', 'path', 'http_method', 'authenticator', 'request_parameters'],
    ...['request_headers', 'error_handler', 'use_cache', 'name', 'primary_key'],
  ])
  const method = String(part.http_method ?? 'GET')
  if (method.toUpperCase() !== 'GET')
    throw unsupported(`${at}.http_method`, `${method} is not supported`)
  const url = toUrl(part, at, scope)
  const [origin] = ORIGIN.exec(url) ?? []
  if (origin === undefined) throw unsupported(`${at}.url_base`, `"${url}" is no URL`)
  const times: { -readonly [Key in keyof SliceParameters]: SliceParameters[Key] } = {}
  const query: Record<string, string> = {}
  for (const [name, value] of toEntries(part.request_parameters, `${at}.request_parameters`)) {
    const time = findSliceTime(value)
    if (time) times[time] = name
    else addText(query, name, toText(value, part, `${at}.request_parameters.${name}`, scope))
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of toEntries(part.request_headers, `${at}.request_headers`)) {
    addText(headers, name, toText(value, part, `${at}.request_headers.${name}`, scope))
  }
  return {
    origin,
    path: url.slice(origin.length) || '/',
    query,
    headers,
    times,
    auth: toAuth(part.authenticator, `${at}.authenticator`, scope),
    errors: toErrors(part.error_handler, `${at}.error_handler`, scope),
  }
}

function toUrl(part: Component, at: string, scope: Scope): string {
  const base = toText(part.url ?? part.url_base, part, `${at}.url_base`, scope)
  const path = part.path ? toText(part.path, part, `${at}.path`, scope) : ''
  return path === '' ? base : `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`
}

function toEntries(given: unknown, at: string): [string, unknown][] {
  if (given === undefined || given === null || given === '') return []
  const entries = Object.entries(requireComponent(given, at))
  return entries.filter(([name]) => name !== '$parameters')
}

function addText(texts: Record<string, string>, name: string, text: string): void {
  if (text !== '') texts[name] = text
}

function toPrimaryKey(given: unknown, at: string): string[] {
  return toList(given).map((one) => {
    const path = toList(one)
    if (path.every((key) => typeof key === 'string')) return path.join('.')
    throw unsupported(at, 'is no path')
  })
}
