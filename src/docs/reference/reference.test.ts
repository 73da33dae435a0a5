import Fastify from 'fastify'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installOpenApi } from '#server/http/openapi.ts'
import { renderMarkdown } from '../markdown.ts'
import { listReferencePages } from './pages.ts'

const Note = Type.Object(
  { id: Type.Integer(), due: Type.Union([Type.String({ format: 'date' }), Type.Null()]) },
  { title: 'Note' },
)
const NoteCreate = Type.Object(
  {
    text: Type.String({ maxLength: 10_000, examples: ["Ada's note"] }),
    mood: Type.Optional(Type.Enum(['calm', 'a|b'])),
    place: Type.Optional(Type.Object({ city: Type.String() })),
  },
  { title: 'NoteCreate' },
)

/** Describes a toy API, and returns its pages as Markdown by path. */
async function describeToy(description = 'Writes one down.'): Promise<Record<string, string>> {
  const app = Fastify()
  onTestFinished(() => app.close())
  installOpenApi(app, { title: 'Toy API', version: '1.2.3', description: 'A toy.' })
  app.post('/api/projects/:project_id/notes', {
    config: { scope: 'dashboard:write' },
    schema: {
      operationId: 'createNote',
      summary: 'Create a note',
      description,
      tags: ['Notes'],
      body: NoteCreate,
      response: { 201: Note, 204: Type.Null({ description: 'Nothing to do.' }) },
    },
    handler: async () => ({}),
  })
  await app.ready()
  const pages = listReferencePages(app.openApiDocument(), '# The toy\n')
  return Object.fromEntries(pages.map(({ path, markdown }) => [path, markdown]))
}

describe('API reference', () => {
  it('has an overview, a page for each tag, and the schemas', async () => {
    const pages = await describeToy()

    expect(Object.keys(pages)).toEqual(['api', 'api/notes', 'api/schemas'])
    expect(pages.api).toMatch(/^# The toy\n\n## Notes\n\n- /)
    expect(pages.api).toContain(
      '- [Create a note](api/notes.md#create-a-note): `POST /api/projects/{project_id}/notes`',
    )
  })

  it("shows an operation's description, scope and errors", async () => {
    const { 'api/notes': page } = await describeToy()

    expect(page).toContain(
      '## Create a note\n\n`POST /api/projects/{project_id}/notes`\n\nWrites one down.',
    )
    expect(page).toContain('Needs a personal API key with the scope `dashboard:write`.')
    expect(page).toContain('[Possible errors](../errors.md): 400, 401, 403, 404')
    expect(page).toContain('**204** Nothing to do. No body.')
  })

  it('lists the fields of a body with types, rules and the paths of nested fields', async () => {
    const { 'api/notes': page, 'api/schemas': schemas } = await describeToy()

    expect(page).toContain('| `text` (required) | string | (at most 10,000 characters')
    expect(page).toContain('| `mood` | string | (one of `calm`, `a\\|b`) |')
    expect(page).toContain('| `place.city` (required) | string |')
    expect(page).toContain('JSON: [Note](schemas.md#note)')
    expect(schemas).toContain('| `due` | string (date) or null |')
  })

  it('shows a curl command that a shell accepts', async () => {
    const { 'api/notes': page } = await describeToy()

    expect(page).toContain(`curl -X POST "http://127.0.0.1:8000/api/projects/1/notes" \\
  -H "Authorization: Bearer $HEDGEROW_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"text":"Ada'\\''s note"}'`)
  })

  it('escapes markup in descriptions', async () => {
    const { 'api/notes': page = '' } = await describeToy('See <script>alert("1")</script> & `<b>`')

    const { html } = renderMarkdown(page, 'api/notes')

    expect(html).not.toMatch(/<script|<b>/)
    expect(html).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
    expect(html).toContain('<code>&lt;b&gt;</code>')
  })
})
