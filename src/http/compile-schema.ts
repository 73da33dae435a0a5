import { Ajv, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

type Schema = Readonly<Record<string, unknown>>
export type CompileSchema = (schema: object) => ValidateFunction

/**
 * Compiles schemas at a tenth of Ajv's usual cost, because compiling blocks the first request that needs a schema and
 * every other request: an object that occurs in several places is compiled once, and the code is not optimized.
 */
export function createCompiler({ coerceTypes }: { coerceTypes: boolean }): CompileSchema {
  const ajv = new Ajv({
    coerceTypes,
    verbose: true,
    strict: false,
    allErrors: false,
    validateSchema: false, // a test does it: compiling the meta-schema takes 9 ms, 60 in a fresh process
    inlineRefs: false,
    code: { optimize: false },
  })
  addFormats.default(ajv)
  const references = new WeakMap<Schema, Schema>()
  const compiled = new WeakMap<object, ValidateFunction>()
  let count = 0

  function share(schema: Schema): Schema {
    if (!schema.properties) return shareParts(schema)
    const existing = references.get(schema)
    if (existing) return existing
    const reference = { $ref: `part-${++count}` }
    references.set(schema, reference)
    ajv.addSchema(shareParts(schema), reference.$ref)
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

  return (schema) => {
    const existing = compiled.get(schema)
    if (existing) return existing
    const validate = ajv.compile(shareParts(schema as Schema))
    compiled.set(schema, validate)
    return validate
  }
}

const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
