import {
  type Component,
  requireComponent,
  requireOnly,
  toList,
  typeOf,
  unsupported,
} from './component.ts'
import { type Scope, toText } from './templates.ts'

type Rule = Readonly<Record<string, unknown>>

const ACTIONS: Readonly<Record<string, string>> = {
  ...{ IGNORE: 'ignore', RETRY: 'retry', RATE_LIMITED: 'retry', FAIL: 'fail' },
}
/** The waits of these strategies are those of the interpreter, which honors `Retry-After` too. */
const BACKOFFS = ['ConstantBackoffStrategy', 'ExponentialBackoffStrategy', 'WaitTimeFromHeader']

/** Translates an error handler to `errors` of connector.yaml. */
export function toErrors(given: unknown, at: string, scope: Scope): Rule[] {
  if (given === undefined || given === null) return []
  const part = requireComponent(given, at)
  const type = typeOf(part, at, 'DefaultErrorHandler')
  if (type === 'CompositeErrorHandler') {
    return toList(part.error_handlers).flatMap((one, index) =>
      toErrors(one, `${at}.error_handlers.${index}`, scope),
    )
  }
  if (type !== 'DefaultErrorHandler') throw unsupported(at, `${type} is not supported`)
  requireOnly(part, at, ['response_filters', 'backoff_strategies', 'max_retries'])
  for (const [index, one] of toList(part.backoff_strategies).entries()) {
    const place = `${at}.backoff_strategies.${index}`
    const strategy = typeOf(requireComponent(one, place), place, '')
    if (!BACKOFFS.includes(strategy)) throw unsupported(place, `${strategy} is not supported`)
  }
  return toList(part.response_filters).flatMap((one, index) =>
    toRules(one, `${at}.response_filters.${index}`, scope),
  )
}

function toRules(given: unknown, at: string, scope: Scope): Rule[] {
  const part = requireComponent(given, at)
  typeOf(part, at, 'HttpResponseFilter')
  requireOnly(part, at, [
    ...['action', 'http_codes', 'error_message_contains', 'error_message', 'failure_type'],
  ])
  const action = typeof part.action === 'string' ? part.action : 'FAIL'
  const translated = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined
  if (!translated) throw unsupported(`${at}.action`, `"${action}" is not supported`)
  const text = part.error_message_contains
  const message = toMessage(part, at, scope)
  const rest = {
    ...(typeof text === 'string' && text !== '' && { text }),
    action: translated,
    ...(message !== undefined && { message }),
  }
  const codes = toList(part.http_codes).map(Number)
  if (codes.length === 0) {
    if (rest.text === undefined) throw unsupported(at, 'needs http_codes or error_message_contains')
    return [rest]
  }
  return codes.flatMap((status) => {
    const isRetriedAnyway = status === 429 || status >= 500
    if (isRetriedAnyway && translated === 'retry') return []
    if (status >= 200 && status < 500 && status !== 429) return [{ status, ...rest }]
    throw unsupported(`${at}.http_codes`, `${status} is always tried again`)
  })
}

/** A message with a value of the response is left out: the response is shown anyway. */
function toMessage(part: Component, at: string, scope: Scope): string | undefined {
  const { error_message: message } = part
  if (typeof message !== 'string' || message === '' || /\{\{\s*response/.test(message)) {
    return undefined
  }
  return toText(message, part, `${at}.error_message`, scope).slice(0, 300)
}
