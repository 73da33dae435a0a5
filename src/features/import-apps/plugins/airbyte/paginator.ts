import {
  type Component,
  isComponent,
  requireComponent,
  requireJson,
  requireOnly,
  requireText,
  typeOf,
  unsupported,
} from './component.ts'
import { parseReference, type Scope, toText } from './templates.ts'

/** A paginator in connector.yaml: `paginate`, and parameters of the first request. */
export interface Pages {
  readonly paginate?: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, string>>
}

/** Translates a paginator. `records` is the path of the list, whose last record may have the cursor. */
export function toPages(given: unknown, at: string, scope: Scope, records: string): Pages {
  if (given === undefined || given === null) return { query: {} }
  const part = requireComponent(given, at)
  const type = typeOf(part, at, 'DefaultPaginator')
  if (type === 'NoPagination') return { query: {} }
  if (type !== 'DefaultPaginator') throw unsupported(at, `${type} is not supported`)
  requireOnly(part, at, [
    ...['page_size_option', 'page_token_option', 'pagination_strategy', 'url_base'],
    'decoder',
  ])
  requireJson(part, at)
  const place = `${at}.pagination_strategy`
  const strategy = requireComponent(part.pagination_strategy, place)
  const kind = typeOf(strategy, place, '')
  const size = toSize(strategy, place, scope)
  const sizeName = toParameter(part.page_size_option, `${at}.page_size_option`, part, scope)
  const query = sizeName !== undefined && size !== undefined ? { [sizeName]: String(size) } : {}
  const token = `${at}.page_token_option`
  const isPath =
    isComponent(part.page_token_option) && part.page_token_option.type === 'RequestPath'
  const parameter = isPath ? undefined : toParameter(part.page_token_option, token, part, scope)
  if (kind === 'CursorPagination') {
    requireOnly(strategy, place, ['cursor_value', 'stop_condition', 'page_size', 'decoder'])
    requireJson(strategy, place)
    return { query, paginate: toCursor(strategy, place, parameter, records) }
  }
  if (parameter === undefined) throw unsupported(token, 'must be a parameter of the request')
  if (kind === 'PageIncrement') {
    requireOnly(strategy, place, ['page_size', 'start_from_page', 'inject_on_first_request'])
    const first = strategy.start_from_page ?? 0
    return { query, paginate: { page: { parameter, first } } }
  }
  if (kind !== 'OffsetIncrement') throw unsupported(place, `${kind} is not supported`)
  requireOnly(strategy, place, ['page_size', 'inject_on_first_request'])
  if (size === undefined) throw unsupported(`${place}.page_size`, 'is missing')
  const limit = sizeName === undefined ? {} : { limit_parameter: sizeName }
  return { query: {}, paginate: { offset: { parameter, ...limit, limit: size } } }
}

function toSize(part: Component, at: string, scope: Scope): number | undefined {
  if (part.page_size === undefined || part.page_size === null) return undefined
  const size = Number(toText(part.page_size, part, `${at}.page_size`, scope))
  if (Number.isInteger(size) && size > 0) return size
  throw unsupported(`${at}.page_size`, 'must be a whole number')
}

/** Returns the parameter that a RequestOption names. */
export function toParameter(
  option: unknown,
  at: string,
  part: Component,
  scope: Scope,
): string | undefined {
  if (option === undefined || option === null) return undefined
  const { inject_into: place, field_name: name } = requireComponent(option, at)
  if (place === 'request_parameter') return toText(name, part, `${at}.field_name`, scope)
  throw unsupported(at, `inject_into "${place}" is not supported`)
}

function toCursor(
  { cursor_value: value, stop_condition: stop }: Component,
  at: string,
  parameter: string | undefined,
  records: string,
): Readonly<Record<string, unknown>> {
  const text = requireText(value, `${at}.cursor_value`)
  const [, expression = ''] = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(text) ?? []
  const found = parseReference(expression.replace(/\s+or\s+(?:''|""|None)\s*$/, ''))
  const path = found?.path.join('.') ?? ''
  const isUrl = parameter === undefined
  if (found?.name === 'headers' && /^link\.next(\.url)?$/i.test(path) && isUrl) {
    return { link: true }
  }
  const more = toMore(stop, `${at}.stop_condition`, path)
  const rest = {
    ...(parameter !== undefined && { parameter }),
    ...(more !== undefined && { more }),
  }
  if (found?.name === 'response' && path !== '') return { cursor: { path, ...rest } }
  if (found?.name === 'last_record' && path !== '') {
    return {
      cursor: { path: [records, '-1', path].filter((one) => one !== '').join('.'), ...rest },
    }
  }
  throw unsupported(`${at}.cursor_value`, `"${text}" is not supported`)
}

/** Translates "stop if there is no more", by a flag or by the cursor itself, to the path of the flag. */
function toMore(stop: unknown, at: string, cursor: string): string | undefined {
  if (stop === undefined || stop === null || stop === '') return undefined
  const text = requireText(stop, at)
  const [, inner = ''] = /^\s*\{\{([\s\S]*)\}\}\s*$/.exec(text) ?? []
  const expression = inner.trim().replace(/^not\s+\((.*)\)$/, 'not $1')
  const [, negated] = /^not\s+(.+)$/.exec(expression) ?? []
  const [, absent] =
    /^(.+?)\s+(?:is\s+(?:none|None|not\s+defined)|==\s*(?:''|""|None))$/.exec(expression) ?? []
  const [, isFalse] = /^(.+?)\s+(?:==|is)\s+(?:false|False)$/.exec(expression) ?? []
  const path = toResponsePath(absent ?? negated ?? isFalse)
  if (path === undefined) throw unsupported(at, `"${text}" is not supported`)
  // without a cursor, there is no next page anyway
  if (path === cursor) return undefined
  if (absent !== undefined) throw unsupported(at, `"${text}" is not supported`)
  return path
}

function toResponsePath(text: string | undefined): string | undefined {
  const reference = text === undefined ? undefined : parseReference(text)
  if (reference?.name === 'response' && reference.path.length > 0) return reference.path.join('.')
  return undefined
}
