import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { ROOT } from '../../tools/sources.ts'

const { version } = packageJson

describe('this version', () => {
  it('follows semver', () => {
    expect(version).toMatch(/^\d+\.\d+\.\d+(-[0-9a-z.-]+)?$/)
  })

  it.each(['sqlite', 'postgres'])('has its storage on %s in test/releases', (database) => {
    const file = `test/releases/${version}/${database}.tar.gz`

    expect(existsSync(join(ROOT, file)), `Run "npm run release-storage" for ${file}.`).toBe(true)
  })

  it('has its changes in the changelog', () => {
    const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')

    expect(changelog).toContain(`\n## ${version}`)
  })
})
