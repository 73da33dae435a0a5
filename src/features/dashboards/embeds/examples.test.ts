import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../../../test/support/app/app.ts'
import { createDashboard } from '../../../../test/support/data/dashboards.ts'
import { createEmbedSecret } from '../../../../test/support/data/embeds.ts'
import { visits } from '../../../../test/support/data/visits.ts'

const EXAMPLES = [
  { language: 'js', command: process.execPath, file: 'example.mjs' },
  { language: 'python', command: 'python3', file: 'example.py' },
  { language: 'ruby', command: 'ruby', file: 'example.rb' },
]
const ORIGIN = 'http://127.0.0.1:8000'

const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0

async function readExample(language: string): Promise<string> {
  const text = await readFile('docs/embed.md', 'utf8')
  const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(text) ?? []
  expect(code).toContain(ORIGIN)
  return code
}

describe('the example of docs/embed.md', () => {
  it.for(EXAMPLES)('in $language prints the address of a page', async (example, { skip }) => {
    const { language, command, file } = example
    skip(!isThere(command), `${command} is not installed`)
    const api = await useApp()
    const { kid, secret } = await createEmbedSecret(api)
    const tiles = [{ insight: { name: 'Visits', query: visits() } }]
    const { id } = await createDashboard(api, { name: 'Sales', tiles })
    const code = await readExample(language)
    const path = join(await mkdtemp(join(tmpdir(), 'hedgerow-embed-')), file)
    await writeFile(path, code.replace(/(dashboard"?: )1,/, `$1${id},`).replace(ORIGIN, api.url))

    const env = { ...process.env, HEDGEROW_EMBED_KID: kid, HEDGEROW_EMBED_SECRET: secret }
    const { stdout } = await promisify(execFile)(command, [path], { env })
    const response = await fetch(stdout.trim())

    expect([response.status, (await response.text()).includes('<h1>Sales</h1>')]).toEqual([
      200,
      true,
    ])
  })
})
