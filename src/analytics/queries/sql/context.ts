import { tooComplex } from './errors.ts'
import type { CompileContext, Compilers } from './scope.ts'

const MAX_NODES = 5000
const MAX_DEPTH = 120

export function createCompileContext(
  settings: Pick<CompileContext, 'zone' | 'now' | 'filters' | 'cohorts'>,
  compilers: Compilers,
): CompileContext {
  let names = 0
  let nodes = 0
  let depth = 0
  return {
    ...compilers,
    ...settings,
    columns: [],
    nextName: (prefix) => `${prefix}${++names}`,
    nested(compile) {
      if (++nodes > MAX_NODES || depth >= MAX_DEPTH) throw tooComplex()
      depth++
      const compiled = compile()
      depth--
      return compiled
    },
  }
}
