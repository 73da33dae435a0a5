import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ERRORS } from '../errors.ts'
import { type Html, html, inlineProse, prose } from '../html/html.ts'
import { docsPageStyles } from './docs-page.css.ts'
import { exampleCurl, exampleValue } from './docs-page-example.ts'
import {
  methodBadge,
  type OperationEntry,
  operationSection,
  operationTitle,
} from './docs-page-operation.ts'
import {
  fieldTable,
  listSchemaFields,
  notes,
  type Schemas,
  schemaTypeName,
} from './docs-page-schema.ts'
import type { OpenApiDocument } from './openapi-document.ts'
import type { JsonSchema } from './openapi-schema.ts'

type Group = { name: string; id: string; entries: OperationEntry[] }

const styleHash = createHash('sha256').update(docsPageStyles).digest('base64')
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

export function installDocsPage(app: FastifyInstance): void {
  let page: string | undefined

  app.get('/docs', {
    config: { scope: 'public' },
    schema: { hide: true },
    handler: (_request, reply) => {
      page ??= renderDocsPage(app.openApiDocument())
      return reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', policy)
        .send(page)
    },
  })
}

export function renderDocsPage(document: OpenApiDocument): string {
  const { info, components } = document
  const groups = groupByTag(document)
  const names = Object.keys(components.schemas)
  // outside the template, because escaping would change its hash
  const style = { html: `<style>${docsPageStyles}</style>` }
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${info.title} reference</title>
${style}
</head>
<body id="top">
<a class="skip" href="#content">Skip to the reference</a>
<div class="layout">
<header class="sidebar">
<p class="brand"><a href="#top">${info.title}</a> <span>${info.version}</span></p>
<details class="menu"><summary>Contents</summary>${navigation(groups, names)}</details>
<div class="side">${navigation(groups, names)}</div>
</header>
<main id="content" tabindex="-1">
${introduction(document, groups)}
${groups.map(
  (group) => html`<section class="group" aria-labelledby="${group.id}">
<h2 id="${group.id}">${group.name}</h2>
${group.entries.map((entry) => operationSection(entry, components.schemas))}
</section>`,
)}
${errorsSection(components.schemas)}
<section class="group" aria-labelledby="schemas">
<h2 id="schemas">Schemas</h2>
${names.map((name) => schemaSection(name, components.schemas))}
</section>
</main>
</div>
<footer><a class="back" href="#top">Contents</a></footer>
</body>
</html>
`.html
}

function groupByTag(document: OpenApiDocument): Group[] {
  const groups = new Map<string, OperationEntry[]>(document.tags.map(({ name }) => [name, []]))
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other'
      groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }])
    }
  }
  return [...groups]
    .filter(([, entries]) => entries.length > 0)
    .map(([name, entries], index) => ({ name, id: `group-${index + 1}`, entries }))
}

function navigation(groups: Group[], schemaNames: string[]): Html {
  return html`<nav aria-label="Reference">
<ul><li><a href="#start">Getting started</a></li></ul>
${groups.map(
  ({ name, id, entries }) => html`<p><a href="#${id}">${name}</a></p>
<ul>${entries.map(
    (entry) =>
      html`<li><a href="#${entry.operation.operationId}">${methodBadge(entry.method)} ${operationTitle(entry)}</a></li>`,
  )}</ul>`,
)}
<ul><li><a href="#errors">Errors</a></li></ul>
<p><a href="#schemas">Schemas</a></p>
<ul>${schemaNames.map((name) => html`<li><a href="#schema-${name}">${name}</a></li>`)}</ul>
</nav>`
}

function introduction({ info, components }: OpenApiDocument, groups: Group[]): Html {
  const first = groups
    .flatMap((group) => group.entries)
    .find(({ method, operation }) => method === 'get' && operation.security.length > 0)
  return html`<div class="intro">
<h1>${info.title} reference</h1>
${prose(info.description)}
</div>
<section class="group" aria-labelledby="start">
<h2 id="start">Getting started</h2>
<p>Send a personal API key in the header <code>Authorization: Bearer …</code>. Each operation below names the scope that the key needs. Request and response bodies are JSON.</p>
<p>The examples read the server’s URL and the key from the environment. The URL is the one of this page, without <code>/docs</code>.</p>
<pre><code>export HEDGEROW_URL=http://127.0.0.1:8000
export HEDGEROW_KEY=your-personal-api-key
${first && `\n${exampleCurl(first.method, first.path, first.operation, components.schemas)}`}</code></pre>
<p>The OpenAPI 3.1 document for programs and client generators is at <a href="/api/schema">/api/schema</a>.</p>
</section>`
}

function errorsSection(schemas: Schemas): Html {
  const error = schemas.Error ?? {}
  const sample = JSON.stringify(exampleValue(error, schemas), null, 2)
  return html`<section class="group" aria-labelledby="errors">
<h2 id="errors">Errors</h2>
<p>An error response has a status of 400 or more and, unless its operation says otherwise, this body.</p>
<pre><code>${sample}</code></pre>
${fieldTable(listSchemaFields(error, schemas), 'Field')}
<table>
<thead><tr><th scope="col">Code</th><th scope="col">Status</th><th scope="col">Meaning</th></tr></thead>
<tbody>${Object.entries(ERRORS).map(
    ([code, [status, , meaning]]) => html`<tr>
<th scope="row"><code>${code}</code></th><td class="type"><span class="status refused">${status}</span></td><td><p>${inlineProse(meaning)}</p></td>
</tr>`,
  )}</tbody>
</table>
</section>`
}

function schemaSection(name: string, schemas: Schemas): Html {
  const schema: JsonSchema = schemas[name] ?? {}
  const fields = listSchemaFields(schema, schemas)
  return html`
<section class="schema" id="schema-${name}" aria-labelledby="schema-${name}-title">
<h3 id="schema-${name}-title">${name}</h3>
${fields.length > 0 ? [schema.description && prose(schema.description), fieldTable(fields, 'Field')] : html`<p class="aside">${schemaTypeName(schema)}</p>${notes(schema)}`}
</section>`
}
