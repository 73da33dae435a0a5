import type { OpenApiDocument } from '#server/http/openapi-document.ts'
import type { Page } from '../pages.ts'
import { toSlug } from '../slugs.ts'
import { describeOperation, type OperationEntry, operationTitle } from './operation.ts'
import { fieldTable, listSchemaFields, notes, type Schemas, typeName } from './schema.ts'

/** Describes the API as pages: an overview after the introduction, one page for each tag, and the schemas. */
export function listReferencePages(document: OpenApiDocument, introduction: string): Page[] {
  const { components } = document
  const descriptions = new Map(document.tags.map(({ name, description }) => [name, description]))
  const tags = groupByTag(document)
  const pages = [...tags].map(([tag, entries]) => ({
    path: `api/${toSlug(tag)}`,
    title: tag,
    markdown: [
      `# ${tag}`,
      ...[descriptions.get(tag) ?? []].flat(),
      `Operations: ${entries.map(operationTitle).join(' · ')}.`,
      KEY,
      ...entries.map((entry) => describeOperation(entry, components.schemas)),
    ].join('\n\n'),
  }))
  return [
    { path: 'api', title: 'Overview', markdown: describeApi(introduction, tags) },
    ...pages,
    { path: 'api/schemas', title: 'Schemas', markdown: describeSchemas(components.schemas) },
  ]
}

const KEY = 'The examples read a personal API key from the variable `HEDGEROW_KEY`.'

function groupByTag({ tags, paths }: OpenApiDocument): Map<string, OperationEntry[]> {
  const groups = new Map<string, OperationEntry[]>(tags.map(({ name }) => [name, []]))
  for (const [path, operations] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const tag = operation.tags?.[0] ?? 'Other'
      groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }])
    }
  }
  return new Map([...groups].filter(([, entries]) => entries.length > 0))
}

function describeApi(
  introduction: string,
  tags: ReadonlyMap<string, readonly OperationEntry[]>,
): string {
  const lists = [...tags].map(([tag, entries]) => {
    const file = `api/${toSlug(tag)}.md`
    const items = entries.map((entry) => {
      const title = operationTitle(entry)
      return `- [${title}](${file}#${toSlug(title)}): \`${entry.method.toUpperCase()} ${entry.path}\``
    })
    return [`## ${tag}`, items.join('\n')].join('\n\n')
  })
  return [introduction.trimEnd(), ...lists].join('\n\n')
}

function describeSchemas(schemas: Schemas): string {
  const sections = Object.entries(schemas).map(([name, schema]) => {
    const fields = listSchemaFields(schema, schemas)
    const content =
      fields.length > 0
        ? [schema.description, fieldTable(fields, 'Field')]
        : [typeName(schema), notes(schema)]
    return [`## ${name}`, ...content].filter(Boolean).join('\n\n')
  })
  return ['# Schemas', 'The JSON that the API receives and sends.', ...sections].join('\n\n')
}
