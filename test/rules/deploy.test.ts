import { describe, expect, it } from 'vitest'
import { readText } from '../../tools/sources.ts'

const PAGE = readText('docs/deploying.md')

describe('docs/deploying.md', () => {
  it.each(['deploy/Caddyfile', 'deploy/nginx.conf'])('shows %s as it is', (file) => {
    expect(PAGE).toContain(`\`\`\`\n${readText(file)}\`\`\``)
  })

  it('creates every secret of compose.yaml', () => {
    const secrets = [...readText('compose.yaml').matchAll(/file: \.\/(secrets\/\w+)/g)]

    expect(secrets).toHaveLength(4)
    for (const [, file] of secrets) expect(PAGE).toContain(`> ${file}\n`)
  })
})
