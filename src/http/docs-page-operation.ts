import { type Html, html, inlineProse, prose } from '../html/html.ts'
import { exampleCurl } from './docs-page-example.ts'
import {
  type Field,
  fieldTable,
  listSchemaFields,
  resolve,
  type Schemas,
  schemaTypeName,
} from './docs-page-schema.ts'
import type { Content, Operation, Parameter, ResponseObject } from './openapi-document.ts'
import type { JsonSchema } from './openapi-schema.ts'

export type OperationEntry = { method: string; path: string; operation: Operation }

export function operationSection(entry: OperationEntry, schemas: Schemas): Html {
  const { method, path, operation } = entry
  const { operationId, parameters = [], requestBody, responses } = operation
  const paragraphs = operation.description.split(/\n{2,}/)
  const access = paragraphs.pop() ?? ''
  return html`
<section class="operation" id="${operationId}" aria-labelledby="${operationId}-title">
<div class="what">
<h3 id="${operationId}-title">${operationTitle(entry)}</h3>
<p class="endpoint">${methodBadge(method)} <code>${path.split(/(?=\/)/).map((part) => html`<wbr>${part}`)}</code></p>
${paragraphs.length > 0 && prose(paragraphs.join('\n\n'))}
<p class="access">${inlineProse(access)}</p>
${parameterTable('Path parameters', 'path', parameters)}
${parameterTable('Query parameters', 'query', parameters)}
${requestBody && bodySection(requestBody.content, schemas)}
${responsesSection(responses, schemas)}
</div>
<div class="example">
<h4>Example</h4>
<pre><code>${exampleCurl(method, path, operation, schemas)}</code></pre>
</div>
</section>`
}

export const operationTitle = ({ method, path, operation }: OperationEntry): string =>
  operation.summary ?? `${method.toUpperCase()} ${path}`

export const methodBadge = (method: string): Html =>
  html`<span class="method ${method}">${method.toUpperCase()}</span>`

function parameterTable(heading: string, place: Parameter['in'], parameters: Parameter[]) {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    // not shown for path parameters, which are always required
    .map((parameter) => ({ ...parameter, required: place === 'query' && !!parameter.required }))
  return fields.length > 0 && html`<h4>${heading}</h4>${fieldTable(fields, 'Parameter')}`
}

function responsesSection(responses: Record<string, ResponseObject>, schemas: Schemas): Html {
  const entries = Object.entries(responses)
  const own = entries.filter(([, response]) => !response.$ref)
  const shared = entries.filter(([, response]) => response.$ref)
  return html`<h4>Responses</h4>
<ul class="responses">${own.map(([status, response]) => responseItem(status, response, schemas))}</ul>
${
  shared.length > 0 &&
  html`<p class="refusals">Possible errors: ${shared.map(
    ([status]) => html`<a class="status refused" href="#errors">${status}</a> `,
  )}</p>`
}`
}

function responseItem(
  status: string,
  { description, content = {} }: ResponseObject,
  schemas: Schemas,
) {
  const kind = status < '4' ? 'done' : 'refused'
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    mediaSection(type, schema, schema.$ref ? [] : listSchemaFields(schema, schemas)),
  )
  return html`<li><p><span class="status ${kind}">${status}</span> ${inlineProse(description ?? '')}</p>
${bodies.length > 0 ? bodies : html`<p class="aside">No body.</p>`}</li>`
}

function bodySection(content: Content, schemas: Schemas): Html {
  const bodies = Object.entries(content).map(([type, { schema }]) =>
    mediaSection(type, schema, listSchemaFields(resolve(schema, schemas), schemas)),
  )
  return html`<h4>Request body</h4>${bodies}`
}

function mediaSection(type: string, schema: JsonSchema, fields: Field[]): Html {
  const name = type === 'application/json' ? html`JSON: ${schemaTypeName(schema)}` : html`${type}`
  return html`<p class="aside">${name}</p>${fields.length > 0 && fieldTable(fields, 'Field')}`
}
