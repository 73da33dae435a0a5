import { AppProblem } from '#server/runtime/contract.ts'
import type { CallContext } from '../call-context.ts'
import {
  MAX_REDIRECTS,
  MAX_URL_LENGTH,
  toFetchUrl,
  toHeaders,
  toMethod,
  toRequestBody,
} from './fetch-request.ts'
import { fetchForApp } from './handle-fetch.ts'

/** Serves `posthog.api`. Adds the service's own keys, which neither the app nor any other host gets to see. */
export async function handleApi(context: CallContext, args: unknown) {
  const fields = (args ?? {}) as Record<string, unknown>
  const body = toRequestBody(fields.body)
  const own = await context.run.services.apiAccess()
  const keys = toKeys(fields.keys)
  const ownOrigin = new URL(own.origin).origin
  const { host } = fields
  const origin = typeof host === 'string' && host !== '' ? toFetchUrl(host).origin : ownOrigin
  const isOwnApi = origin === ownOrigin
  if (!isOwnApi && !keys) {
    throw new AppProblem('Specify a projectApiKey and a personalApiKey when you specify a host.')
  }
  const url = toApiUrl(context, fields.path, origin)
  url.search = toQuery(url, fields.query, keys?.project ?? own.projectToken)
  const method = toMethod(fields.method)
  const headers = toHeaders(fields.headers)
  headers.set('authorization', `Bearer ${keys?.personal ?? own.personalKey}`)
  if (method === 'POST' || method === 'PATCH') headers.set('content-type', 'application/json')
  return fetchForApp(
    context,
    { url, method, headers, redirect: 'follow', maxRedirects: MAX_REDIRECTS, body },
    isOwnApi ? url : undefined,
  )
}

/** Builds the query apart from the URL, which parses itself again after each change. */
function toQuery({ searchParams }: URL, given: unknown, token: string): string {
  const pairs = Array.isArray(given) ? given.filter(Array.isArray) : []
  const added = new Map(pairs.map(([name, value]) => [String(name), String(value)]))
  added.set('token', token)
  const kept = [...searchParams].filter(([name]) => !added.has(name))
  return String(new URLSearchParams([...kept, ...added]))
}

function toApiUrl({ spec }: CallContext, path: unknown, origin: string): URL {
  if (String(path).length > MAX_URL_LENGTH) throw new AppProblem('The path is too long.')
  const projectPath = String(path).replaceAll('@current', String(spec.projectId))
  const url = URL.parse(projectPath, `${origin}/`)
  if (url?.origin !== origin) throw new AppProblem(`'${path}' is not a path.`)
  return url
}

function toKeys(keys: unknown): { project: string; personal: string } | undefined {
  if (typeof keys !== 'object' || keys === null) return undefined
  const { project, personal } = keys as Record<string, unknown>
  return { project: String(project), personal: String(personal) }
}
