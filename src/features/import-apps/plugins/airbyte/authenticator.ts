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
import { type Scope, toSetting, toText } from './templates.ts'

type Auth = Readonly<Record<string, unknown>>

/** Translates an authenticator to `auth` of connector.yaml, or to nothing. */
export function toAuth(given: unknown, at: string, scope: Scope): Auth | undefined {
  if (given === undefined || given === null) return undefined
  const part = requireComponent(given, at)
  const type = typeOf(part, at, 'NoAuth')
  switch (type) {
    case 'NoAuth':
      return undefined
    case 'BearerAuthenticator':
      requireOnly(part, at, ['api_token'])
      return { bearer: toSetting(part.api_token, part, `${at}.api_token`, scope) }
    case 'BasicHttpAuthenticator':
      return toBasic(part, at, scope)
    case 'ApiKeyAuthenticator':
      return toApiKey(part, at, scope)
    case 'OAuthAuthenticator':
      return toOAuth(part, at, scope)
    default:
      throw unsupported(at, `${type} is not supported`)
  }
}

function toBasic(part: Component, at: string, scope: Scope): Auth {
  requireOnly(part, at, ['username', 'password'])
  const user = toSetting(part.username, part, `${at}.username`, scope)
  const hasPassword = part.password !== undefined && part.password !== ''
  const password = hasPassword && toSetting(part.password, part, `${at}.password`, scope)
  return { basic: { user, ...(password && { password }) } }
}

function toApiKey(part: Component, at: string, scope: Scope): Auth {
  requireOnly(part, at, ['api_token', 'header', 'inject_into'])
  const text = toText(part.api_token, part, `${at}.api_token`, scope)
  const [, prefix = '', setting] = /^([^{}]*)\{\{([\w-]+)\}\}$/.exec(text) ?? []
  if (setting === undefined) {
    throw unsupported(`${at}.api_token`, `"${text}" must end with one value of config`)
  }
  const { place, name } = toPlace(part, at, scope)
  if (place === 'header' && /^authorization$/i.test(name) && prefix === 'Bearer ') {
    return { bearer: setting }
  }
  if (place === 'request_parameter' && prefix !== '') {
    throw unsupported(`${at}.api_token`, 'has a text before the value of config')
  }
  const key = place === 'header' ? 'header' : 'query'
  return { [key]: { name, setting, ...(prefix !== '' && { prefix }) } }
}

function toPlace({ header, inject_into: option }: Component, at: string, scope: Scope) {
  if (!isComponent(option)) {
    return { place: 'header', name: requireText(header, `${at}.header`) }
  }
  const place = option.inject_into
  if (place !== 'header' && place !== 'request_parameter') {
    throw unsupported(`${at}.inject_into`, `"${place}" is not supported`)
  }
  return { place, name: toText(option.field_name, option, `${at}.inject_into.field_name`, scope) }
}

function toOAuth(part: Component, at: string, scope: Scope): Auth {
  requireOnly(part, at, [
    ...['token_refresh_endpoint', 'client_id', 'client_secret', 'refresh_token', 'grant_type'],
    ...['scopes', 'refresh_request_body', 'access_token_name', 'expires_in_name'],
  ])
  const names = { access_token_name: 'access_token', expires_in_name: 'expires_in' }
  for (const [key, usual] of Object.entries(names)) {
    if (part[key] !== undefined && part[key] !== usual) {
      throw unsupported(`${at}.${key}`, `must be "${usual}"`)
    }
  }
  const grant = part.grant_type ?? 'refresh_token'
  if (grant !== 'refresh_token' && grant !== 'client_credentials') {
    throw unsupported(`${at}.grant_type`, `"${grant}" is not supported`)
  }
  const setting = (key: string) => toSetting(part[key], part, `${at}.${key}`, scope)
  const body = isComponent(part.refresh_request_body) ? part.refresh_request_body : {}
  const parameters = Object.entries(body)
    .filter(([key]) => key !== '$parameters')
    .map(([key, value]) => [key, toText(value, part, `${at}.refresh_request_body.${key}`, scope)])
  const scopes = toList(part.scopes).map((one) => toText(one, part, `${at}.scopes`, scope))
  if (scopes.length > 0) parameters.push(['scope', scopes.join(' ')])
  return {
    oauth: {
      token_url: toText(part.token_refresh_endpoint, part, `${at}.token_refresh_endpoint`, scope),
      client_id: setting('client_id'),
      ...(hasText(part.client_secret) && { client_secret: setting('client_secret') }),
      ...(grant === 'refresh_token' && { refresh_token: setting('refresh_token') }),
      ...(parameters.length > 0 && { parameters: Object.fromEntries(parameters) }),
    },
  }
}

const hasText = (value: unknown): boolean => typeof value === 'string' && value !== ''
