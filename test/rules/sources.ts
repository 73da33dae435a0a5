import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { ROOT } from '../../tools/sources.ts'

export const SRC = join(ROOT, 'src')

/** Lists the server's source files, relative to `src/`, without tests. */
export const listSources = (): string[] =>
  globSync('**/*.ts', { cwd: SRC }).filter((file) => !file.endsWith('.test.ts'))

export const readSource = (file: string): string => readFileSync(join(SRC, file), 'utf8')

/** Resolves an import of the file `from` as the aliases in package.json do. */
export const resolveImport = (from: string, specifier: string): string => {
  if (specifier.startsWith('#model/')) return join(SRC, 'model', specifier.slice('#model/'.length))
  if (specifier.startsWith('#server/')) return join(SRC, specifier.slice('#server/'.length))
  return join(dirname(from), specifier)
}

const SPECIFIER = /(?:from|import)\s*\(?\s*'([.#][^']+)'/g

export const specifiersIn = (text: string): string[] =>
  [...text.matchAll(SPECIFIER)].map(([, specifier]) => specifier as string)

/** Lists the files of `src/` that this one imports, relative to `src/`. */
export const importsOf = (file: string): string[] =>
  specifiersIn(readSource(file))
    .map((specifier) => relative(SRC, resolveImport(join(SRC, file), specifier)))
    .filter((path) => path.endsWith('.ts') && !path.startsWith('..'))

const domainOf = (file: string): string | undefined =>
  file.startsWith('features/') ? file.split('/')[1] : undefined

/** Maps each domain to the domains that its files import. */
export function domainImports(): Map<string, Set<string>> {
  const graph = new Map<string, Set<string>>()
  for (const file of listSources()) {
    const domain = domainOf(file)
    if (!domain) continue
    const imported = graph.get(domain) ?? new Set()
    graph.set(domain, imported)
    for (const path of importsOf(file)) {
      const other = domainOf(path)
      if (other && other !== domain) imported.add(other)
    }
  }
  return graph
}

/** Removes nodes that import none of the rest until nothing changes: what remains is on or above a cycle. */
export function findCycles(graph: Map<string, Set<string>>): string[] {
  const rest = new Map(graph)
  let size = Number.POSITIVE_INFINITY
  while (rest.size < size) {
    size = rest.size
    for (const [node, imported] of rest) {
      if (![...imported].some((other) => rest.has(other))) rest.delete(node)
    }
  }
  return [...rest.keys()]
}
