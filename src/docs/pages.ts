import { readdirSync, readFileSync } from 'node:fs'
import type { OpenApiDocument } from '#server/http/openapi-document.ts'
import { listReferencePages } from './reference/pages.ts'

const FOLDER = new URL('../../docs/', import.meta.url)

/** A document, whose path below /docs is that of its file below docs/ without the extension. */
export interface Page {
  readonly path: string
  readonly title: string
  readonly markdown: string
}

export interface PageGroup {
  readonly name: string
  readonly pages: readonly Page[]
}

const GUIDES = [
  'first-dashboard',
  'capture',
  'web-analytics',
  'move-from-posthog',
  'imports',
  'import-csv',
  'import-tables',
  'webhooks',
  'services',
  'connectors',
  'airbyte-manifests',
  'share',
  'embed',
  'people',
  'alerts',
  'import-apps',
  'segment',
  'terraform',
  'sdks',
  'mcp',
  'deploying',
  'operating',
  'scaling',
  'upgrading',
]
const REFERENCE = [
  'queries',
  'sql',
  'persons',
  'groups',
  'cohorts',
  'actions',
  'annotations',
  'comments',
  'compatibility',
  'errors',
  'backup-format',
  'security',
]
const DEVELOPERS = ['your-first-change', 'glossary', 'dependencies']

/** Lists all pages in the order of the navigation, after the start page. */
export function listSections(document: OpenApiDocument): PageGroup[] {
  const decisions = listDecisions()
  return [
    { name: 'Guides', pages: GUIDES.map(readPage) },
    { name: 'Reference', pages: REFERENCE.map(readPage) },
    { name: 'API', pages: listReferencePages(document, readPage('api').markdown) },
    { name: 'For developers', pages: [...DEVELOPERS.map(readPage), toIndex(decisions)] },
    { name: 'Decisions', pages: decisions },
  ]
}

export const readStartPage = (): Page => ({ ...readPage('index'), path: '' })

function readPage(path: string): Page {
  const markdown = readFileSync(new URL(`${path}.md`, FOLDER), 'utf8')
  return { path, title: /^# (.+)$/m.exec(markdown)?.[1] ?? path, markdown }
}

const listDecisions = (): Page[] =>
  readdirSync(new URL('decisions/', FOLDER))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => readPage(`decisions/${name.slice(0, -3)}`))

function toIndex(decisions: readonly Page[]): Page {
  const links = decisions.map(({ path, title }) => `- [${title}](${path}.md)`)
  const markdown = ['# Decisions', 'Why Hedgerow is built as it is.', links.join('\n')].join('\n\n')
  return { path: 'decisions', title: 'Decisions', markdown }
}
