import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { useApp } from '../../../test/support/app/app.ts'
import { listTools } from './toolbox.ts'

const page = readFileSync(new URL('../../../docs/mcp.md', import.meta.url), 'utf8')
const blocks = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json))

describe('docs/mcp.md', () => {
  it('lists every tool with its scope', async () => {
    const { app } = await useApp()

    const rows = listTools(app).map(({ descriptor: { name, title }, route: { scope } }) => {
      const needed = scope === 'key' ? 'any key' : `\`${scope}\``
      return `| \`${name}\` | ${title} | ${needed} |`
    })

    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows)
  })

  it('configures clients with the address and the key of this server', () => {
    expect(blocks).toHaveLength(3)
    for (const block of blocks) {
      const { hedgerow } = block.servers ?? block.mcpServers
      const text = JSON.stringify(hedgerow)
      expect(text).toContain('"http://127.0.0.1:8000/mcp"')
      expect(text).toMatch(/"Authorization":"Bearer |"Authorization:\$\{HEDGEROW_AUTH\}"/)
    }
  })

  it('says which tools need an admin', async () => {
    const { app } = await useApp()

    const forAdmins = listTools(app)
      .filter(({ route }) => route.adminOnly)
      .map(({ descriptor }) => `\`${descriptor.name}\``)

    const [last, ...others] = forAdmins.toReversed()
    expect(page).toContain(`${others.toReversed().join(', ')} and ${last} need an admin's key`)
  })
})
