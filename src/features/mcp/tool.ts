import type { JsonObject } from '#model/json.ts'
import type { ApiRoute } from '#server/http/openapi-document.ts'
import { type JsonSchema, mapValues, toDocumented } from '#server/http/openapi-schema.ts'

/** Everything there is to know about a tool. The rest comes from the route that it calls. */
export interface ToolDescriptor {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The `operationId` of the route. */
  readonly operation: string
  /** The query parameters and body fields of the route that the tool offers. Path parameters are always offered. */
  readonly inputs?: readonly string[]
  /** Inputs that the tool needs although the route does not. */
  readonly required?: readonly string[]
  /** Inputs that the route does not have. Needs `toFields`. */
  readonly own?: JsonObject
  /** Converts the tool's own inputs to fields of the route. */
  toFields?(own: JsonObject): JsonObject
  /** Fields that are always sent. */
  readonly fixed?: JsonObject
  /** Marks a tool that deletes something. */
  readonly isDestructive?: true
  /** Paths of the response that the result omits, such as `tiles.*.insight.result`. */
  readonly omit?: readonly string[]
}

/** A tool with its route. */
export interface Tool {
  readonly descriptor: ToolDescriptor
  readonly route: ApiRoute
  /** The names of its inputs, besides `project_id`. */
  readonly inputs: readonly string[]
  readonly isReadOnly: boolean
  /** The entry in `tools/list`. */
  readonly definition: JsonObject & { readonly name: string }
}

const PROJECT_ID = {
  type: 'string',
  description: 'From projects-get. Default: the current project.',
}

/** The part of the route that takes an input. */
export const queryOf = ({ schema }: ApiRoute): JsonSchema =>
  (schema.querystring ?? {}) as JsonSchema
export const bodyOf = ({ schema }: ApiRoute): JsonSchema => (schema.body ?? {}) as JsonSchema
const paramsOf = ({ schema }: ApiRoute): JsonSchema => (schema.params ?? {}) as JsonSchema

/** Path parameters that the caller need not know. */
const IMPLIED = ['project_id', 'organization_id']

export function toTool(descriptor: ToolDescriptor, route: ApiRoute): Tool {
  const { name, title, description, own = {}, isDestructive = false } = descriptor
  const inPath = [...route.url.matchAll(/:(\w+)/g)]
    .map(([, parameter]) => parameter as string)
    .filter((parameter) => !IMPLIED.includes(parameter))
  const offered = descriptor.inputs ?? []
  const inputs = [...inPath, ...offered, ...Object.keys(own)]
  const needed = [...(queryOf(route).required ?? []), ...(bodyOf(route).required ?? [])]
  const required = [
    ...inPath,
    ...offered.filter((input) => needed.includes(input)),
    ...(descriptor.required ?? []),
  ]
  const isReadOnly = !route.scope.endsWith(':write')
  return {
    descriptor,
    route,
    inputs,
    isReadOnly,
    definition: {
      name,
      title,
      description,
      inputSchema: {
        type: 'object',
        properties: {
          ...Object.fromEntries(inPath.map((input) => [input, findSchema(input, paramsOf(route))])),
          ...Object.fromEntries(
            offered.map((input) => [input, findInput(input, descriptor, route)]),
          ),
          ...mapValues(own, toPlainSchema),
          ...(route.url.includes(':project_id') && { project_id: PROJECT_ID }),
        },
        required,
        additionalProperties: false,
      },
      annotations: {
        title,
        readOnlyHint: isReadOnly,
        destructiveHint: isDestructive,
        idempotentHint: isReadOnly || route.method !== 'POST',
        openWorldHint: false,
      },
    },
  }
}

function findInput(input: string, { name }: ToolDescriptor, route: ApiRoute): unknown {
  const schema = findSchema(input, queryOf(route)) ?? findSchema(input, bodyOf(route))
  if (schema === undefined) {
    throw new Error(`${name} offers ${input}, which ${route.schema.operationId} does not take`)
  }
  return schema
}

const findSchema = (input: string, part: JsonSchema): unknown => {
  const schema = part.properties?.[input]
  return schema && toPlainSchema(toDocumented(schema))
}

/** Drops what only TypeBox needs. */
const toPlainSchema = (schema: unknown): unknown => JSON.parse(JSON.stringify(schema))
