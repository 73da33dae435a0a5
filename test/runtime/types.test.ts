import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { runBody } from './apps.ts'

const TYPES = readFileSync(new URL('../../skeleton/hedgerow.d.ts', import.meta.url), 'utf8')

/** Lists the member names of `interface <name> { ... }`, including nested ones. */
const namesIn = (name: string): string[] => {
  const [, body = ''] =
    new RegExp(`interface ${name}\\b.*?\\{\\n(.*?)\\n\\}`, 's').exec(TYPES) ?? []
  return [...body.matchAll(/^ +(\w+)\??[:(]/gm)].map(([, found]) => found as string)
}

describe('the types for app authors', () => {
  it.each([
    ['Meta', 'meta'],
    ['Storage', 'meta.storage'],
    ['Cache', 'meta.cache'],
    ['Utils', 'meta.utils'],
    ['Utils', 'meta.utils.cursor'],
    ['Database', 'meta.utils.postgres'],
    ['Database', 'meta.utils.mysql'],
    ['PostHog', 'posthog'],
    ['QueuedJob', `meta.jobs.any()`],
  ])('declare every member of %s', async (type, expression) => {
    const { messages } = await runBody(`console.log(JSON.stringify(Object.keys(${expression})))`)

    const keys: string[] = JSON.parse(messages()[0] ?? '[]')
    expect(keys.length).toBeGreaterThan(0)
    expect(namesIn(type)).toEqual(expect.arrayContaining(keys))
  })
})
