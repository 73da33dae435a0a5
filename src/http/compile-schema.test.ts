import { expect, it } from 'vitest'
import { createCompiler } from './compile-schema.ts'

/** Creates a schema of hundreds of different parts. */
function createLargeSchema(): object {
  const parts = Array.from({ length: 400 }, (_, index) => ({
    type: 'object',
    required: ['id'],
    properties: { id: { const: index }, name: { type: 'string', minLength: 1 } },
  }))
  return { type: 'object', properties: { part: { anyOf: parts } } }
}

/** Counts the turns of the event loop until the task is done. */
async function countTurns(task: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  void task.finally(() => {
    isDone = true
  })
  while (!isDone) {
    await new Promise(setImmediate)
    turns++
  }
  return turns
}

it('compiles a large schema in several turns of the event loop', async () => {
  const { compile, compileInTurns } = createCompiler({ coerceTypes: false })
  const schema = createLargeSchema()

  const turns = await countTurns(compileInTurns(schema))

  expect(turns).toBeGreaterThan(2)
  expect(compile(schema)({ part: { id: 399, name: 'last' } })).toBe(true)
  expect(compile(schema)({ part: { id: 399, name: '' } })).toBe(false)
})

it('compiles a schema once for all who wait', async () => {
  const { compileInTurns } = createCompiler({ coerceTypes: false })
  const schema = createLargeSchema()

  const first = compileInTurns(schema)

  expect(compileInTurns(schema)).toBe(first)
  await first
})

it('compiles at once what is needed before all turns have passed', async () => {
  const { compile, compileInTurns } = createCompiler({ coerceTypes: false })
  const schema = createLargeSchema()
  const compiling = compileInTurns(schema)

  const validate = compile(schema)

  await compiling
  expect(compile(schema)).toBe(validate)
})
