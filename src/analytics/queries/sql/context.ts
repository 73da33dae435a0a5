import { refuse, tooComplex } from './errors.ts'
import type { CompileContext, Compilers, TextWork } from './scope.ts'

const MAX_NODES = 5000
const MAX_DEPTH = 120

/**
 * The characters of a row that its functions may join and search. DuckDB computes 2,048 rows before it notices an
 * interrupt: joining takes that many times the memory, and regular expressions search 100 to 200 MB in a second.
 */
const MAX_TEXT: Record<TextWork, number> = { joins: 100_000, searches: 300_000 }

const REFUSED_TEXT: Record<TextWork, string> = {
  joins:
    'The query joins too many long texts. Use fewer concat and ||, or shorten what they join: left(properties.name, 50).',
  searches:
    'The query searches too many long texts. Use fewer LIKE and match, or shorten what they search: left(properties.name, 50).',
}

/** PostgreSQL sorts for each, and takes minutes to plan some hundred sorts. */
const MAX_DISTINCT = 50

export function createCompileContext(
  settings: Pick<CompileContext, 'zone' | 'now' | 'filters' | 'actions' | 'cohorts' | 'imports'>,
  compilers: Compilers,
): CompileContext {
  let names = 0
  let nodes = 0
  let depth = 0
  let distinct = 0
  const text: Record<TextWork, number> = { joins: 0, searches: 0 }
  return {
    ...compilers,
    ...settings,
    columns: [],
    nextName: (prefix) => `${prefix}${++names}`,
    spendText(work, characters) {
      text[work] += characters
      if (text[work] > MAX_TEXT[work]) throw refuse(REFUSED_TEXT[work])
    },
    countDistinct() {
      if (++distinct > MAX_DISTINCT)
        throw refuse(`A query counts distinct values at most ${MAX_DISTINCT} times.`)
    },
    nested(compile) {
      if (++nodes > MAX_NODES || depth >= MAX_DEPTH) throw tooComplex()
      depth++
      const compiled = compile()
      depth--
      return compiled
    },
  }
}
