import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { CONFIGS, type TestApp, useApp } from '../../../../test/support/app/app.ts'
import { sendBody } from '../../../../test/support/app/files.ts'
import { OWNER } from '../../../../test/support/app/owner.ts'
import { installPlugin } from '../../../../test/support/app/plugin.ts'
import { createConfig } from '../../../../test/support/data/configs.ts'
import { loadAttachments } from './load.ts'

const KEY = { authorization: `Bearer ${OWNER.apiKey}` }

async function start() {
  const api = await useApp()
  const config_schema = [{ key: 'file', type: 'attachment' as const }]
  const plugin = await installPlugin(api.db, { config_schema })
  const { id } = await createConfig(api, { plugin })
  return { api, id, path: `${CONFIGS}/${id}/attachments/file` }
}

const rowsOf = ({ db, projectId }: TestApp) =>
  db.selectFrom('attachments').selectAll().where('project_id', '=', projectId).execute()

/** Sends bytes that need not be a valid request, hangs up, and returns the response if there is one. */
async function sendRaw({ url }: TestApp, head: readonly string[], body: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.end(
    `${[...head, `authorization: ${KEY.authorization}`, 'host: x'].join('\r\n')}\r\n\r\n${body}`,
  )
  return text(socket).catch(() => '')
}

describe('the name of a hostile file', () => {
  it.each([
    ['a newline', 'a\nb.csv'],
    ['a terminal escape', 'a\u001b[2Jb.csv'],
    ['a text that is written backwards', 'invoice\u202efdp.exe'],
    ['an isolate', 'a\u2066b.csv'],
  ])('is refused with %s', async (_, name) => {
    const { api, path } = await start()

    const { status, body } = await sendBody(
      api,
      'PUT',
      `${path}?filename=${encodeURIComponent(name)}`,
      'a',
    )

    expect({ status, attr: body.attr }).toEqual({ status: 400, attr: 'filename' })
    expect(await rowsOf(api)).toEqual([])
  })

  it.each([
    ['..', 'attachment; filename=".."', '..'],
    ['quotes and newlines in a header', 'attachment; filename="a\\"; x=\\"b"', 'a"; x="b'],
    ['an encoded path', "attachment; filename*=utf-8''..%2f..%2fetc%2fpasswd", 'passwd'],
    ['HTML', 'attachment; filename="<img src=x onerror=alert(1)>"', '<img src=x onerror=alert(1)>'],
    ['a reserved name', 'attachment; filename="__proto__"', '__proto__'],
  ])('is only a text with %s', async (_, disposition, name) => {
    const { api, path } = await start()

    const { body } = await sendBody(api, 'PUT', path, 'a', { 'content-disposition': disposition })

    expect(body.name).toBe(name)
  })
})

describe('a hostile upload', () => {
  it('is never sent back to a browser', async () => {
    const { api, path, id } = await start()
    const html = '<script>alert(1)</script>'
    await sendBody(api, 'PUT', `${path}?filename=a.html`, html, { 'content-type': 'text/html' })

    for (const there of [
      path,
      `${path}/a.html`,
      `${CONFIGS}/${id}/attachments/`,
      `${CONFIGS}/${id}`,
    ]) {
      const response = await fetch(api.address(there), { headers: KEY })
      expect(response.headers.get('content-type'), there).toMatch(/^application\/json/)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await response.text(), there).not.toContain('<script>')
    }
  })

  it('leaves nothing behind if it lies about its length', async () => {
    const { api, path } = await start()
    const put = `PUT ${api.path(path)} HTTP/1.1`

    await sendRaw(api, [put, 'content-length: 1000'], 'too short')
    await sendRaw(api, [put, 'transfer-encoding: chunked'], '5\r\nhello\r\n')
    await sendRaw(api, [put, 'transfer-encoding: chunked'], 'zz\r\nhello\r\n0\r\n\r\n')
    await sendRaw(api, [put, 'content-length: -1'], 'x')
    await sendRaw(api, [put, 'content-length: 1e3'], 'x')
    const both = ['transfer-encoding: chunked', 'content-length: 5']
    const smuggled = await sendRaw(api, [put, ...both], '0\r\n\r\nGET /evil HTTP/1.1\r\n\r\n')

    expect(smuggled).not.toContain(' 200 ')
    await expect.poll(() => rowsOf(api)).toEqual([])
    expect((await api.get(`${path.replace('/file', '')}`)).body).toEqual([])
  })

  it('does not mix with others that replace the same file at the same time', {
    tags: 'sql',
  }, async () => {
    const { api, path, id } = await start()
    const contents = Array.from({ length: 8 }, (_, n) => Buffer.alloc(1024 * 1024 + n, `${n}`))

    const responses = await Promise.all(contents.map((bytes) => sendBody(api, 'PUT', path, bytes)))

    expect(
      responses.map(({ status }) => status).every((status) => [200, 404, 409].includes(status)),
    ).toBe(true)
    const rows = await rowsOf(api)
    expect(rows).toHaveLength(1)
    const { file } = await loadAttachments(api.db, api.services.secrets, id)
    const read = Buffer.concat(await Array.fromAsync(file?.read() ?? []))
    expect(contents.some((bytes) => bytes.equals(read))).toBe(true)
    const chunks = api.db.selectFrom('attachment_chunks').select('position')
    const stored = await chunks.where('attachment_id', '=', String(rows[0]?.id)).execute()
    expect(stored).toHaveLength(2)
  })

  it("does not reach another project's config", async () => {
    const { api, path, id } = await start()
    await sendBody(api, 'PUT', path, 'first')
    const other = await api.createProject()
    const stranger = await api.as({ memberOf: [other] })
    const headers = { authorization: `Bearer ${stranger.key}` }

    for (const project of [other, api.projectId]) {
      const there = `/api/projects/${project}/${CONFIGS}/${id}/attachments`
      const put = await sendBody(api, 'PUT', `${there}/file`, 'second', headers)
      expect([403, 404]).toContain(put.status)
      expect([403, 404]).toContain((await stranger.get(there)).status)
      expect([403, 404]).toContain((await stranger.delete(`${there}/file`)).status)
    }
    expect(await rowsOf(api)).toMatchObject([{ size: 5 }])
  })
})

describe('a hostile form', () => {
  const part = (name: string, content = 'x', more = '') =>
    `--b\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`
  const file = (key: string, content = 'x') =>
    part(`add_attachment[${key}]`, content, '; filename="f"')

  it.each<[string, string, number]>([
    ['200 texts', `${Array.from({ length: 200 }, (_, n) => part(`f${n}`)).join('')}--b--`, 413],
    ['50 files', `${Array.from({ length: 50 }, () => file('file')).join('')}--b--`, 413],
    ['no end', file('file'), 400],
    [
      'a nested form',
      `--b\r\ncontent-disposition: form-data; name="x"\r\ncontent-type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\n${'x'.repeat(100)}\r\n--c--\r\n--b--`,
      200,
    ],
    [
      'a header of 100 kB',
      `--b\r\nx: ${'a'.repeat(100_000)}\r\ncontent-disposition: form-data; name="name"\r\n\r\nx\r\n--b--`,
      200,
    ],
    ['a long name', `${part('n'.repeat(5000))}--b--`, 200],
    ['a file that no setting takes', `${file('other')}--b--`, 400],
    ['a file after a wrong field', `${part('order', 'x')}${file('file')}--b--`, 400],
    ['another boundary', `${file('file').replaceAll('--b', '--c')}--c--`, 400],
    ['nothing', '', 200],
  ])('with %s stores no file that belongs to nobody', async (_, body, expected) => {
    const { api, id } = await start()

    const type = { 'content-type': 'multipart/form-data; boundary=b' }
    const { status } = await sendBody(api, 'PATCH', `${CONFIGS}/${id}`, body, type)

    expect(status).toBe(expected)
    await expect
      .poll(async () => (await rowsOf(api)).filter((row) => row.config_id === null))
      .toEqual([])
    if (status >= 400) expect(await rowsOf(api)).toEqual([])
  })

  it('cannot read what an upload was before it was replaced', async () => {
    const { api, path, id } = await start()
    await sendBody(api, 'PUT', path, randomBytes(10))
    const { file: first } = await loadAttachments(api.db, api.services.secrets, id)
    await api.delete(path)

    await expect(Array.fromAsync(first?.read() ?? [])).rejects.toThrow('was replaced')
    expect(await loadAttachments(api.db, api.services.secrets, id)).toEqual({})
    expect((await api.delete(path)).status).toBe(404)
  })
})
