import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Ajv, ValidateFunction } from 'ajv'
import { loadAjv, loadFormats } from './load-ajv.ts'

type Schema = Readonly<Record<string, unknown>>

export interface SchemaCompiler {
  compile(schema: object): ValidateFunction
  /** Compiles in several turns of the event loop, once for all who wait, because a large schema takes 50 ms. */
  compileInTurns(schema: object): Promise<void>
}

/** The time after which compiling waits for the next turn. */
const TURN_MS = 5

/**
 * Compiles schemas at a tenth of Ajv's usual cost, because compiling blocks the first request that needs a schema and
 * every other request: an object that occurs in several places is compiled once, and the code is not optimized.
 */
export function createCompiler({ coerceTypes }: { coerceTypes: boolean }): SchemaCompiler {
  let loaded: Ajv | undefined
  const references = new WeakMap<Schema, Schema>()
  const compiled = new WeakMap<object, ValidateFunction>()
  const compiling = new WeakMap<object, Promise<void>>()
  /** The parts that no schema has needed yet, each after the parts that it refers to. */
  let uncompiled: string[] = []
  let count = 0

  function getAjv(): Ajv {
    loaded ??= createAjv(coerceTypes)
    return loaded
  }

  function share(schema: Schema): Schema {
    if (!schema.properties) return shareParts(schema)
    const existing = references.get(schema)
    if (existing) return existing
    const name = `part-${++count}`
    const reference = { $ref: name }
    references.set(schema, reference)
    getAjv().addSchema(shareParts(schema), name)
    uncompiled.push(name)
    return reference
  }

  function shareParts(schema: Schema): Schema {
    const { properties, items, anyOf } = schema
    return {
      ...schema,
      ...(isSchema(properties) && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([name, part]) => [name, share(part as Schema)]),
        ),
      }),
      ...(isSchema(items) && { items: share(items) }),
      ...(Array.isArray(anyOf) && { anyOf: anyOf.map(share) }),
    }
  }

  function compile(schema: object): ValidateFunction {
    const existing = compiled.get(schema)
    if (existing) return existing
    const validate = getAjv().compile(shareParts(schema as Schema))
    uncompiled = []
    compiled.set(schema, validate)
    return validate
  }

  async function compileParts(schema: object): Promise<void> {
    if (!loaded) {
      getAjv()
      await nextTurn()
    }
    shareParts(schema as Schema)
    const parts = uncompiled
    uncompiled = []
    let endsAt = performance.now() + TURN_MS
    for (const part of parts) {
      getAjv().getSchema(part)
      if (performance.now() < endsAt) continue
      await nextTurn()
      endsAt = performance.now() + TURN_MS
    }
    compile(schema)
  }

  return {
    compile,
    compileInTurns(schema) {
      const current = compiling.get(schema) ?? compileParts(schema)
      compiling.set(schema, current)
      return current
    },
  }
}

function createAjv(coerceTypes: boolean): Ajv {
  const { Ajv } = loadAjv()
  const ajv = new Ajv({
    coerceTypes,
    verbose: true,
    strict: false,
    allErrors: false,
    validateSchema: false, // a test does it: compiling the meta-schema takes 9 ms, 60 in a fresh process
    inlineRefs: false,
    code: { optimize: false },
  })
  loadFormats().default(ajv)
  return ajv
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
