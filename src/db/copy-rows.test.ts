import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { storageOptions } from '../../test/support/app/storage.ts'
import { copyRows, copyValues, toField } from './copy-rows.ts'
import { openStorage } from './open.ts'
import type { Tx } from './schema.ts'

const TEXTS = [
  '',
  ' ',
  '\\N',
  '\\.',
  null,
  '\t',
  '\n',
  '\r\n',
  '\\',
  '{"a":"b\\n"}',
  'ü 🦔',
  'NULL',
]

/** Runs work on an empty table `copied (place integer primary key, text text)`. */
async function inTable<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
  const { db, close } = await openStorage(await storageOptions('postgres'))
  onTestFinished(close)
  await sql`create table copied (place integer primary key, text text)`.execute(db)
  return db.transaction().execute(work)
}

const copy = (tx: Tx, lines: string) => copyRows(tx, 'copied', ['place', 'text'], lines)

it('copies rows that PostgreSQL reads as the same values', async () => {
  const lines = TEXTS.map((text, place) => `${place}\t${toField(text)}\n`)

  const { rows } = await inTable(async (tx) => {
    await copy(tx, lines.join(''))
    return sql<{ text: string }>`select text from copied order by place`.execute(tx)
  })

  expect(rows.map(({ text }) => text)).toEqual(TEXTS)
})

it.each([
  ['in the rows', '1\ta\n1\tb\n', { code: '23505', constraint: 'copied_pkey' }],
  ['in a line', 'one\ta\n', { code: '22P02' }],
])("passes on PostgreSQL's error %s, and the connection stays usable", async (_, lines, error) => {
  await inTable(async (tx) => {
    await sql`savepoint before`.execute(tx)
    await expect(copy(tx, lines)).rejects.toMatchObject(error)
    await sql`rollback to savepoint before`.execute(tx)

    await copy(tx, '1\ta\n')

    expect((await sql`select * from copied`.execute(tx)).rows).toEqual([{ place: 1, text: 'a' }])
  })
})

it('fails when the table does not exist', async () => {
  const copying = inTable((tx) => copyRows(tx, 'unknown', ['place'], '1\n'))

  await expect(copying).rejects.toMatchObject({ code: '42P01' })
})

it('reads values as bytes, also those that come in many parts', async () => {
  const texts = [
    ...TEXTS.filter((text) => text !== null),
    ...Array.from({ length: 20 }, (_, place) => `${place} ü\n`.repeat(10_000 * place)),
  ]

  const values = await inTable(async (tx) => {
    await copy(tx, texts.map((text, place) => `${place}\t${toField(text)}\n`).join(''))
    return copyValues(tx, sql`select text from copied order by place`)
  })

  expect(values.map(String)).toEqual(texts)
})

it('reads no values of no rows', async () => {
  expect(await inTable((tx) => copyValues(tx, sql`select text from copied`))).toEqual([])
})

it('says why values cannot be read, and keeps the connection', async () => {
  const { db, close } = await openStorage(await storageOptions('postgres'))
  onTestFinished(close)

  await expect(copyValues(db, sql`select 1 / 0`)).rejects.toThrow('division by zero')
  expect((await copyValues(db, sql`select 'kept'`)).map(String)).toEqual(['kept'])
})
