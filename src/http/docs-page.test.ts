import { createHash } from 'node:crypto'
import Fastify, { type FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { describe, expect, it, onTestFinished } from 'vitest'
import { installDocsPage, renderDocsPage } from './docs-page.ts'
import { installOpenApi } from './openapi.ts'

const Note = Type.Object(
  { id: Type.Integer(), due: Type.Union([Type.String({ format: 'date' }), Type.Null()]) },
  { title: 'Note' },
)
const NoteCreate = Type.Object(
  {
    text: Type.String({ maxLength: 10_000, examples: ["Ada's note"] }),
    mood: Type.Optional(Type.Enum(['calm', 'merry'])),
    place: Type.Optional(Type.Object({ city: Type.String() })),
  },
  { title: 'NoteCreate' },
)

function startApp(description = 'Writes one down.'): FastifyInstance {
  const app = Fastify()
  onTestFinished(() => app.close())
  installOpenApi(app, { title: 'Toy API', version: '1.2.3', description: 'A toy.' })
  installDocsPage(app)
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
  return app
}

async function renderToy(description?: string): Promise<string> {
  const app = startApp(description)
  await app.ready()
  return renderDocsPage(app.openApiDocument())
}

const textOf = (page: string): string =>
  page
    .replace(/<style>.*<\/style>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describe('API reference page', () => {
  it('is public HTML', async () => {
    const response = await startApp().inject('/docs')

    expect(response.statusCode).toBe(200)
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(response.body).toContain('<h1>Toy API reference</h1>')
  })

  it('allows its own style element and nothing else', async () => {
    const { body, headers } = await startApp().inject('/docs')

    const style = body.match(/<style>(.*?)<\/style>/s)?.[1] ?? ''
    const hash = createHash('sha256').update(style).digest('base64')
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    expect(body).not.toMatch(/<script|<link|<img| style=| on\w+=/)
  })

  it('escapes markup in descriptions', async () => {
    const page = await renderToy('<script>alert("1")</script> & `<b>`')

    expect(page).not.toMatch(/<script|<b>/)
    expect(page).toContain(
      '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; <code>&lt;b&gt;</code>',
    )
  })

  it("shows an operation's description, scope and errors", async () => {
    const text = textOf(await renderToy())

    expect(text).toContain(
      'Create a note POST /api /projects /{project_id} /notes Writes one down.',
    )
    expect(text).toContain('Needs a personal API key with the scope dashboard:write .')
    expect(text).toContain('Possible errors: 400 401 403 404')
    expect(text).toContain('204 Nothing to do. No body.')
  })

  it('lists the fields of a body with types, rules and the paths of nested fields', async () => {
    const text = textOf(await renderToy())

    expect(text).toContain('text required string at most 10,000 characters')
    expect(text).toContain('mood string one of calm , merry')
    expect(text).toContain('place.city required string')
    expect(text).toContain('due string date or null')
  })

  it('shows a curl command that a shell accepts', async () => {
    const page = await renderToy()

    expect(page).toContain(`curl -X POST &quot;$HEDGEROW_URL/api/projects/1/notes&quot; \\
  -H &quot;Authorization: Bearer $HEDGEROW_KEY&quot; \\
  -H &#39;Content-Type: application/json&#39; \\
  -d &#39;{&quot;text&quot;:&quot;Ada&#39;\\&#39;&#39;s note&quot;}&#39;`)
  })

  it('links only to unique anchors on the page', async () => {
    const page = await renderToy()

    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    const targets = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id)
    expect(ids).toEqual([...new Set(ids)])
    expect(targets.filter((target) => !ids.includes(target))).toEqual([])
    expect(targets).toEqual(expect.arrayContaining(['createNote', 'schema-Note', 'errors']))
  })
})
