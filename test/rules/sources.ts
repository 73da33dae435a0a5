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

/** The feature of a file: a folder of its domain, or a file beside these folders. */
const featureOf = (file: string): string | undefined =>
  file.startsWith('features/') ? file.split('/').slice(0, 3).join('/') : undefined

type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** Maps each part of the features to the others that its files import. */
function importsBetween(partOf: (file: string) => string | undefined): Imports {
  const graph = new Map<string, Set<string>>()
  for (const file of listSources()) {
    const part = partOf(file)
    if (!part) continue
    const others = importsOf(file).flatMap((path) => partOf(path) ?? [])
    graph.set(part, new Set([...(graph.get(part) ?? []), ...others]).difference(new Set([part])))
  }
  return graph
}

export const domainImports = (): Imports => importsBetween(domainOf)

export const featureImports = (): Imports => importsBetween(featureOf)

/** Lists the parts that import themselves through others. */
export const partsInCycles = (graph: Imports): string[] =>
  [...graph.keys()].filter((part) => reachableFrom(graph, part).has(part))

function reachableFrom(graph: Imports, part: string): ReadonlySet<string> {
  const reached = new Set<string>()
  const left = [...(graph.get(part) ?? [])]
  for (let next = left.pop(); next; next = left.pop()) {
    if (reached.has(next)) continue
    reached.add(next)
    left.push(...(graph.get(next) ?? []))
  }
  return reached
}
