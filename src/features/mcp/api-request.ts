import { isObject, type JsonObject } from '#model/json.ts'
import { bodyOf, queryOf, type Tool } from './tool.ts'

export interface ApiRequest {
  readonly method: string
  readonly url: string
  /** undefined for a route without a body. */
  readonly body: JsonObject | undefined
}

/** Says what is wrong with the arguments of a call, so that a model can correct them. */
export class ArgumentError extends Error {}

/** Longer than any ID. */
const MAX_PATH_VALUE = 400

/** Builds the request that a call of a tool stands for. The route checks all values except those in the path. */
export function toApiRequest(tool: Tool, args: JsonObject, defaultProject: string): ApiRequest {
  const { descriptor, route, inputs } = tool
  const inProject = route.url.includes(':project_id')
  requireKnown(args, inProject ? [...inputs, 'project_id'] : inputs)
  const implied = { project_id: defaultProject, organization_id: '@current' }
  const values: JsonObject = { ...implied, ...args }
  const path = route.url.replace(/:(\w+)/g, (_, name) => toPathPart(name, values[name]))
  const fields = toFields(tool, args)
  const inQuery = Object.keys(fields).filter((name) => name in (queryOf(route).properties ?? {}))
  const search = toSearch(Object.fromEntries(inQuery.map((name) => [name, fields[name]])))
  const body = Object.entries(fields).filter(([name]) => !inQuery.includes(name))
  return {
    method: route.method,
    url: search ? `${path}?${search}` : path,
    body: bodyOf(route).properties && Object.fromEntries(body),
  }

  function toFields({ descriptor: { inputs: offered = [] } }: Tool, given: JsonObject): JsonObject {
    const own = Object.keys(descriptor.own ?? {})
    return {
      ...pick(given, offered),
      ...descriptor.toFields?.(pick(given, own)),
      ...descriptor.fixed,
    }
  }
}

function requireKnown(args: JsonObject, known: readonly string[]): void {
  const unknown = Object.keys(args).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const list = known.length > 0 ? known.join(', ') : 'none'
  throw new ArgumentError(`There is no argument "${unknown.slice(0, 100)}". Arguments: ${list}.`)
}

const pick = (from: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]),
  )

/** Refuses `.` and `..`, which would lead to another route. */
function toPathPart(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value
  if (text === undefined) throw new ArgumentError(`The argument "${name}" is required.`)
  if (typeof text !== 'string' || /^\.{0,2}$/.test(text) || text.length > MAX_PATH_VALUE) {
    throw new ArgumentError(`The argument "${name}" must be an ID.`)
  }
  return encodeURIComponent(text)
}

function toSearch(fields: JsonObject): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) {
      if (item === null) continue
      if (isObject(item) || Array.isArray(item)) {
        throw new ArgumentError(`The argument "${name}" must be a text, a number or a boolean.`)
      }
      search.append(name, String(item))
    }
  }
  return search.toString()
}
