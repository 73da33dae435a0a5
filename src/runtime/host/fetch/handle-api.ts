import { AppProblem } from '#server/runtime/contract.ts'
import type { CallContext } from '../call-context.ts'
import { MAX_REDIRECTS, toBody, toHeaders, toMethod, toUrl } from './fetch-request.ts'
import { acceptUpload, answerQuestion } from './handle-fetch.ts'

/** `posthog.api`. The service's own keys are added here and never shown to the app, nor to any other host. */
export async function handleApi(context: CallContext, asked: unknown) {
  const { path, host, keys, query, headers, method, body } = (asked ?? {}) as Record<
    string,
    unknown
  >
  const sent = toBody(body)
  const upload = acceptUpload(context, sent)
  const own = await context.run.services.apiAccess()
  const given = toKeys(keys)
  const ownOrigin = new URL(own.origin).origin
  const origin = typeof host === 'string' && host !== '' ? toUrl(host).origin : ownOrigin
  const isOwn = origin === ownOrigin
  if (!isOwn && !given) {
    throw new AppProblem('Specify a projectApiKey and a personalApiKey when you specify a host.')
  }
  const projectId = String(context.spec.projectId)
  const url = URL.parse(String(path).replaceAll('@current', projectId), `${origin}/`)
  if (url?.origin !== origin) throw new AppProblem(`'${path}' is not a path.`)
  for (const [name, value] of Array.isArray(query) ? query : []) {
    url.searchParams.set(String(name), String(value))
  }
  url.searchParams.set('token', given?.project ?? own.projectToken)
  const all = toHeaders(headers)
  const verb = toMethod(method)
  all.set('authorization', `Bearer ${given?.personal ?? own.personalKey}`)
  if (verb === 'POST' || verb === 'PATCH') all.set('content-type', 'application/json')
  return answerQuestion(
    context,
    { url, method: verb, headers: all, redirect: 'follow', follow: MAX_REDIRECTS, body: sent },
    upload,
    isOwn ? url : undefined,
  )
}

function toKeys(keys: unknown): { project: string; personal: string } | undefined {
  if (typeof keys !== 'object' || keys === null) return undefined
  const { project, personal } = keys as Record<string, unknown>
  return { project: String(project), personal: String(personal) }
}
