import type {
  Content,
  Operation,
  Parameter,
  ResponseObject,
} from '#server/http/openapi-document.ts'
import type { JsonSchema } from '#server/http/openapi-schema.ts'
import { exampleCurl } from './example.ts'
import {
  type Field,
  fieldTable,
  listSchemaFields,
  resolve,
  type Schemas,
  typeName,
} from './schema.ts'

export type OperationEntry = { method: string; path: string; operation: Operation }

/** Describes an operation as Markdown. */
export function describeOperation(entry: OperationEntry, schemas: Schemas): string {
  const { method, path, operation } = entry
  const { description, parameters = [], requestBody, responses } = operation
  return [
    `## ${operationTitle(entry)}`,
    `\`${method.toUpperCase()} ${path}\``,
    description,
    parameterTable('Path parameters', 'path', parameters),
    parameterTable('Query parameters', 'query', parameters),
    requestBody && describeBody(requestBody.content, schemas),
    describeResponses(responses, schemas),
    `\`\`\`sh\n${exampleCurl(method, path, operation, schemas)}\n\`\`\``,
  ]
    .filter(Boolean)
    .join('\n\n')
}

export const operationTitle = ({ method, path, operation }: OperationEntry): string =>
  operation.summary ?? `${method.toUpperCase()} ${path}`

function parameterTable(heading: string, place: Parameter['in'], parameters: Parameter[]): string {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    // not shown for path parameters, which are always required
    .map((parameter) => ({ ...parameter, required: place === 'query' && !!parameter.required }))
  return fields.length > 0 ? `### ${heading}\n\n${fieldTable(fields, 'Parameter')}` : ''
}

function describeBody(content: Content, schemas: Schemas): string {
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    describeMedia(type, schema, listSchemaFields(resolve(schema, schemas), schemas)),
  )
  return ['### Request body', ...bodies].join('\n\n')
}

function describeResponses(responses: Record<string, ResponseObject>, schemas: Schemas): string {
  const entries = Object.entries(responses)
  const own = entries.filter(([, response]) => !response.$ref)
  const shared = entries.filter(([, response]) => response.$ref).map(([status]) => status)
  return [
    '### Responses',
    ...own.map(([status, response]) => describeResponse(status, response, schemas)),
    shared.length > 0 && `[Possible errors](../errors.md): ${shared.join(', ')}.`,
  ]
    .filter(Boolean)
    .join('\n\n')
}

function describeResponse(
  status: string,
  { description = '', content = {} }: ResponseObject,
  schemas: Schemas,
): string {
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    describeMedia(type, schema, schema.$ref ? [] : listSchemaFields(schema, schemas)),
  )
  const head = `**${status}** ${description}`.trim()
  return [`${head}${bodies.length === 0 ? ' No body.' : ''}`, ...bodies].join('\n\n')
}

function describeMedia(type: string, schema: JsonSchema, fields: Field[]): string {
  const name = type === 'application/json' ? `JSON: ${typeName(schema)}` : type
  return fields.length > 0 ? `${name}\n\n${fieldTable(fields, 'Field')}` : name
}
