import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startApp } from '../support/app/app.ts'
import { OWNER } from '../support/app/owner.ts'
import { numRuns } from '../support/vitest/effort.ts'
import { CONFIGS } from './paths.ts'
import { send } from './raw.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { createWorld } from './world.ts'

const NAMES = [
  ...['plugin', 'order', 'enabled', 'deleted', 'name', 'description', 'config', 'x', ''],
  ...['add_attachment[file]', 'add_attachment[url]', 'add_attachment[]', 'add_attachment['],
  ...['remove_attachment[file]', 'remove_attachment[__proto__]', '__proto__', 'constructor'],
]
const TEXTS = ['2', '-1', 'true', 'x', '', '{"url":"x"}', '{"a":1}', '[', 'null', '\0', '\ud800']

const disposition = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom('', '; filename="a.csv"', '; filename=""'))
  .map(([name, file]) => `content-disposition: form-data; name="${name}"${file}\r\n`)

const type = fc.constantFrom(
  ...['', 'content-type: application/json\r\n', 'content-type: ///\r\n'],
  ...['content-type: application/octet-stream\r\n', 'content-transfer-encoding: base64\r\n'],
)

const part = fc
  .tuple(disposition, type, fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary' })))
  .map(([about, kind, content]) => `--x\r\n${about}${kind}\r\n${content}\r\n`)

const body = fc
  .tuple(
    fc.array(part, { maxLength: 5 }),
    fc.constantFrom('--x--\r\n', '--x--', '--x', '', '--y--'),
  )
  .map(([parts, end]) => parts.join('') + end)

const boundary = fc.constantFrom(
  '; boundary=x',
  '; boundary=x',
  '; boundary=x',
  '',
  '; boundary=""',
)

describe('a hostile form', () => {
  it('is either accepted or refused without changing anything', async () => {
    const api = await startApp()
    const { withFile } = await createWorld(api)
    let before: Snapshot | undefined

    await fc.assert(
      fc.asyncProperty(fc.boolean(), boundary, body, async (isNew, bound, sent) => {
        before ??= await readSnapshot(api.db)
        const response = await send(api.url, {
          method: isNew ? 'POST' : 'PATCH',
          path: isNew ? CONFIGS : `${CONFIGS}/${withFile}`,
          headers: {
            authorization: `Bearer ${OWNER.apiKey}`,
            'content-type': `multipart/form-data${bound}`,
          },
          body: sent,
        })
        expect(response.status, response.text).toBeLessThan(500)
        if (response.status < 400) before = undefined
        else expect(await readSnapshot(api.db)).toEqual(before)
      }),
      numRuns(300, 30),
    )

    expect((await api.get(CONFIGS)).status).toBe(200)
    const loose = api.db.selectFrom('attachments').select('id').where('config_id', 'is', null)
    expect(await loose.execute()).toEqual([])
  })
})
