import type { Compilable, CompiledQuery } from 'kysely'
import type { Db } from './schema.ts'

type Scalar = string | number | null | undefined
/** A value, or the columns of a row to insert or set. */
type Parameter = Scalar | object

/**
 * Compiles a query once and then only executes it: compiling is two thirds of a point read (36 against 13 us). For the
 * statements of the busiest paths only. Each parameter must be used exactly once, in order: the query is compiled with
 * a marker in place of each, so that the first use detects anything else.
 */
export function compileOnce<Parameters extends readonly Parameter[], Row>(
  build: (db: Db, ...parameters: Parameters) => Compilable<Row>,
): (db: Db, ...parameters: Parameters) => Promise<Row[]> {
  const compiled = new WeakMap<object, Map<string, CompiledQuery<Row>>>()

  /** Keeps one query for each database and set of columns. */
  function compile(db: Db, parameters: Parameters): CompiledQuery<Row> {
    const { adapter } = db.getExecutor()
    const queries = compiled.get(adapter) ?? new Map<string, CompiledQuery<Row>>()
    const shape = parameters.map(toShape).join(';')
    const existing = queries.get(shape)
    if (existing) return existing
    const markers = parameters.map(toMarker)
    const query = build(db, ...(markers as unknown as Parameters)).compile()
    if (query.parameters.join() !== markers.flatMap(toValues).join()) {
      throw new Error(`Cannot reuse ${query.sql}`)
    }
    compiled.set(adapter, queries.set(shape, query))
    return query
  }

  return async (db, ...parameters) => {
    const query = compile(db, parameters)
    const { rows } = await db.executeQuery<Row>({
      ...query,
      parameters: parameters.flatMap(toValues),
    })
    return rows
  }
}

const isRow = (parameter: Parameter): parameter is object =>
  typeof parameter === 'object' && parameter !== null

const toShape = (parameter: Parameter): string =>
  isRow(parameter) ? Object.keys(parameter).join() : ''

const toValues = (parameter: Parameter): unknown[] =>
  isRow(parameter) ? Object.values(parameter) : [parameter]

const toMarker = (parameter: Parameter, index: number): Parameter =>
  isRow(parameter)
    ? Object.fromEntries(Object.keys(parameter).map((column) => [column, `${index} ${column}`]))
    : `${index}`
