import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { ROOT } from '../../tools/sources.ts'
import { partsInCycles, specifiersIn } from './sources.ts'

const WEB = join(ROOT, 'web/src')

/** A feature, or another folder of the web app such as `ui`; undefined for the files that put the app together. */
const partOf = (file: string): string | undefined =>
  /^(features\/[^/]+|(?!test\/)[^./]+)\//.exec(file)?.[1]

/** Maps each part of the web app to the parts that its files import, tests apart. */
function partImports(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: WEB })) {
    const part = partOf(file)
    if (!part || file.includes('.test.')) continue
    const others = specifiersIn(readFileSync(join(WEB, file), 'utf8'))
      .map((specifier) => partOf(join(dirname(file), specifier)))
      .filter((other) => other !== undefined && other !== part)
    graph.set(part, new Set([...(graph.get(part) ?? []), ...(others as string[])]))
  }
  return graph
}

it('features and shared parts of the web app import each other without a cycle', () => {
  const imports = partImports()

  expect(imports.get('features/dashboard-page')).toContain('ui')
  expect(partsInCycles(imports)).toEqual([])
})
