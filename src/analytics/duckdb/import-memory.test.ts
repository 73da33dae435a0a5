import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createImportMemory } from './import-memory.ts'
import { WHOLE as WHOLE_LIMITS } from './memory-limit.ts'
import { readRows } from './read-rows.ts'

const MIB = 1024 * 1024
const [WHOLE, LOW] = ['244.1 MiB', '61.0 MiB']
const IMPORT = { count: 20_000, size: 4 * MIB }
const LARGE = { count: 10, size: MIB }

async function open(options: Parameters<typeof createImportMemory>[1] = { hasLarge: false }) {
  const instance = await DuckDBInstance.create(':memory:', { memory_limit: '256MB' })
  const connection = await instance.connect()
  onTestFinished(async () => {
    await memory.stop()
    connection.closeSync()
    instance.closeSync()
  })
  const memory = createImportMemory(connection, options)
  const readSetting = async <T>(name: string) =>
    (await readRows<[T]>(connection, `select current_setting('${name}')`))[0]?.[0]
  const readLimit = () => readSetting<string>('memory_limit')
  const readThreads = async () => Number(await readSetting<bigint>('threads'))
  const write = (size: { count: number; size: number }) => memory.write(size, readLimit)
  return { connection, memory, readLimit, readThreads, write }
}

describe('the memory of DuckDB', () => {
  it('shrinks once an import writes many events', async () => {
    const { write } = await open()

    expect(await write({ count: 19_999, size: 4 * MIB })).toBe(WHOLE)
    expect(await write({ count: 1, size: 200 })).toBe(LOW)
  })

  it('comes with one thread for an import, and with all for a query', async () => {
    const { memory, readThreads, write } = await open()
    await write(IMPORT)

    const threads = [await readThreads(), await memory.whole(readThreads)]

    expect(threads).toEqual([1, Number(WHOLE_LIMITS.threads)])
  })

  it('is whole for a query, and until as many events are written after it', async () => {
    const { memory, readLimit, write } = await open()
    await write(IMPORT)

    const duringQuery = await memory.whole(readLimit)
    const after = await write({ count: 100, size: 20_000 })

    expect([duringQuery, after]).toEqual([WHOLE, WHOLE])
    expect(await write(IMPORT)).toBe(LOW)
  })

  it('stays whole while a query runs beside an import', async () => {
    const { memory, write } = await open()
    await memory.acquire()

    const during = await write(IMPORT)
    memory.release()

    expect(during).toBe(WHOLE)
    expect(await write(IMPORT)).toBe(LOW)
  })

  it('is whole for large events, until a checkpoint must have written them', async () => {
    const { write } = await open()
    await write(IMPORT)

    expect(await write(LARGE)).toBe(WHOLE)
    expect(await write({ count: 320_000, size: 64 * MIB })).toBe(WHOLE)
    expect(await write(IMPORT)).toBe(LOW)
  })

  it('is whole at first if the log may contain large events', async () => {
    const { write } = await open({ hasLarge: true })

    expect(await write(IMPORT)).toBe(WHOLE)
  })

  it.each([
    'Out of Memory Error: failed to allocate',
    'TransactionContext Error: Failed to commit: failed to pin block of size 256.0 KiB (60.9 MiB/61.0 MiB used)',
    'TransactionContext Error: Failed to commit: could not allocate block of size 256.0 KiB (66.8 MiB/61.0 MiB used)',
  ])('is whole when a write that ran out of it is repeated: %s', async (message) => {
    const { memory, readLimit, write } = await open()
    await write(IMPORT)
    const limits: (string | undefined)[] = []
    const fail = async () => {
      limits.push(await readLimit())
      if (limits.length === 1) throw new Error(message)
    }

    await memory.write({ count: 1, size: 100 }, fail)

    expect(limits).toEqual([LOW, WHOLE])
    expect(await write(IMPORT)).toBe('91.5 MiB') // more than was too little
  })

  it('grows by what DuckDB keeps of the events that were written since the start', async () => {
    const { write } = await open()

    expect(await write({ count: 4_500_000, size: 900 * MIB })).toBe('91.5 MiB')
    expect(await write({ count: 500_000, size: 100 * MIB })).toBe('99.1 MiB')
    expect(await write({ count: 95_000_000, size: 19_000 * MIB })).toBe(WHOLE)
  })

  it('gives back what a query has cached once nothing has run for a while', async () => {
    const { connection, memory, readLimit } = await open({ hasLarge: false, restMs: 10 })
    const folder = await mkdtemp(join(tmpdir(), 'hedgerow-memory-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    await connection.run(`attach '${folder}/cached.duckdb' as cached`)
    await connection.run(
      'create table cached.numbers as select hash(range) as number from range(1000000)',
    )
    await connection.run('detach cached')
    await connection.run(`attach '${folder}/cached.duckdb' as cached`)
    const readUsed = async () =>
      (
        await readRows<[number]>(
          connection,
          'select sum(memory_usage_bytes)::double from duckdb_memory()',
        )
      )[0]?.[0] ?? 0

    await memory.acquire()
    await connection.run('select sum(length(number::text)) from cached.numbers')
    const during = await readUsed()
    memory.release()

    expect(during).toBeGreaterThan(4 * MIB)
    await expect.poll(readUsed).toBeLessThan(MIB)
    expect(await memory.whole(readLimit)).toBe(WHOLE)
  })

  it('does not repeat a write that failed for another reason, or with all memory', async () => {
    const { memory, write } = await open()
    const fail = (message: string) => memory.retry(() => Promise.reject(new Error(message)))

    await expect(fail('Out of Memory Error: too large')).rejects.toThrow('too large')
    await write(IMPORT)
    await expect(fail('IO Error: no disk')).rejects.toThrow('no disk')
  })
})
