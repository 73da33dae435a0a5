import { describe, expect, it } from 'vitest'
import { MIN_VERSION } from '#server/analytics/clickhouse/probe.ts'
import { readText } from '../../tools/sources.ts'

const PAGE = readText('docs/deploying.md')

describe('docs/deploying.md', () => {
  it.each(['deploy/Caddyfile', 'deploy/nginx.conf'])('shows %s as it is', (file) => {
    expect(PAGE).toContain(`\`\`\`\n${readText(file)}\`\`\``)
  })

  it.each([
    ['compose.yaml', 4],
    ['compose.clickhouse.yaml', 2],
  ])('creates every secret of %s', (name, count) => {
    const secrets = [...readText(name).matchAll(/file: \.\/(secrets\/\w+)/g)]

    expect(secrets).toHaveLength(count)
    for (const [, file] of secrets) expect(PAGE).toContain(`> ${file}\n`)
  })

  it('names a version of ClickHouse that Hedgerow accepts, as docs/scaling.md does', () => {
    const image = /clickhouse-server:(\d+)\.(\d+)$/m.exec(readText('compose.clickhouse.yaml')) ?? []
    const [major, minor] = MIN_VERSION

    expect(Number(image[1]) * 100 + Number(image[2])).toBeGreaterThanOrEqual(major * 100 + minor)
    expect(readText('docs/scaling.md')).toContain(`**${major}.${minor} or newer**`)
  })
})
