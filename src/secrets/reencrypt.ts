import { type Expression, type SqlBool, sql } from 'kysely'
import { changeAccess, changeProject } from '../db/change.ts'
import { purgeDeletedRows } from '../db/dialect.ts'
import type { Db, Tx } from '../db/schema.ts'
import { toCipherHeader, toTextHeader } from './cipher.ts'
import type { SecretKey } from './keys.ts'
import type { Secrets } from './secrets.ts'

const TEXTS_PER_TRANSACTION = 200
/** Each chunk has at most 1 MiB. */
const CHUNKS_PER_TRANSACTION = 8

/** Columns of project records that contain encrypted text, of rows with an ID. */
const COLUMNS = [
  ['plugin_configs', 'settings'],
  ['webhook_requests', 'content'],
  ['alerts', 'signing_secret'],
  ['subscriptions', 'signing_secret'],
  ['embed_secrets', 'secret'],
] as const
/** Columns of users, by their ID. */
const USER_COLUMNS = [
  ['second_factors', 'secret'],
  ['second_factors', 'pending_secret'],
] as const
type Column = (typeof COLUMNS)[number] | (typeof USER_COLUMNS)[number]
const SETTINGS_COLUMN = COLUMNS[0]

export interface ReencryptedCounts {
  /** Settings, the secrets of signatures and second factors. */
  readonly settings: number
  readonly chunks: number
}

export interface ReencryptOptions {
  readonly db: Db
  readonly secrets: Secrets
  readonly key: SecretKey
  /** Throws if there is a newer key. */
  requireNewest(tx: Tx): Promise<void>
}

const isPlain = sql<SqlBool>`settings like '{%'`

/** Encrypts the settings that earlier versions stored as plain text. */
export async function encryptPlainSettings(db: Db, secrets: Secrets): Promise<void> {
  const configs = db.selectFrom('plugin_configs').select('project_id').distinct()
  const projects = await configs.where(isPlain).execute()
  if (projects.length === 0) return
  for (const { project_id } of projects) {
    const texts = { column: SETTINGS_COLUMN, isDue: isPlain, rewrite: secrets.encryptText }
    for await (const _ of rewriteTexts(ofProject(db, project_id, texts)));
  }
  await purgeDeletedRows(db)
}

/**
 * Re-encrypts everything that another key has encrypted. Servers may write meanwhile: each transaction here waits for
 * those that encrypt under the same lock, and later ones already use the new key. For that reason no project or
 * attachment is skipped, not even an empty one.
 */
export async function reencryptAll(
  options: ReencryptOptions,
  onProgress: (done: ReencryptedCounts) => void,
): Promise<ReencryptedCounts> {
  const { db, secrets, key, requireNewest } = options
  let done: ReencryptedCounts = { settings: 0, chunks: 0 }
  const reencrypt = (text: string) => secrets.encryptText(secrets.decryptText(text))
  const isOlder = ([, column]: Column) =>
    sql<SqlBool>`${sql.ref(column)} not like ${`${toTextHeader(key)}%`}`
  const due = (column: Column) => ({ column, isDue: isOlder(column), rewrite: reencrypt })
  const all: DueTexts[] = USER_COLUMNS.map((column) => ({
    ...due(column),
    idColumn: 'user_id',
    change: (work) => changeAccess(db, work),
  }))
  for (const { id } of await db.selectFrom('projects').select('id').orderBy('id').execute()) {
    all.push(...COLUMNS.map((column) => ofProject(db, id, due(column))))
  }
  for (const texts of all) {
    for await (const count of rewriteTexts(texts, requireNewest)) {
      done = { ...done, settings: done.settings + count }
      onProgress(done)
    }
  }
  for (const { id } of await db.selectFrom('attachments').select('id').orderBy('id').execute()) {
    for await (const chunks of reencryptAttachment(options, id)) {
      done = { ...done, chunks: done.chunks + chunks }
      onProgress(done)
    }
  }
  return done
}

interface Text {
  readonly id: number
  readonly text: string
}

interface DueTexts {
  readonly column: Column
  readonly idColumn: 'id' | 'user_id'
  readonly isDue: Expression<SqlBool>
  rewrite(text: string): string
  /** Takes the lock under which servers encrypt these texts. */
  readonly change: (work: (tx: Tx) => Promise<number>) => Promise<number>
}

const ofProject = (
  db: Db,
  projectId: number,
  { isDue, ...texts }: Omit<DueTexts, 'idColumn' | 'change'>,
): DueTexts => ({
  ...texts,
  idColumn: 'id',
  isDue: sql<SqlBool>`project_id = ${projectId} and ${isDue}`,
  change: (work) => changeProject(db, projectId, work),
})

/** Yields the number of texts that each transaction has rewritten. */
async function* rewriteTexts(
  { column: [table, column], idColumn, isDue, rewrite, change }: DueTexts,
  requireNewest: (tx: Tx) => Promise<void> = async () => {},
): AsyncIterable<number> {
  for (let count = TEXTS_PER_TRANSACTION; count === TEXTS_PER_TRANSACTION; ) {
    count = await change(async (tx) => {
      await requireNewest(tx)
      const [from, text, id] = [sql.table(table), sql.ref(column), sql.ref(idColumn)]
      const due = sql`${isDue} limit ${sql.lit(TEXTS_PER_TRANSACTION)}`
      const found = sql<Text>`select ${id} as id, ${text} as text from ${from} where ${due}`
      const { rows } = await found.execute(tx)
      for (const row of rows) {
        const own = sql`${id} = ${row.id}`
        await sql`update ${from} set ${text} = ${rewrite(row.text)} where ${own}`.execute(tx)
      }
      return rows.length
    })
    if (count > 0) yield count
  }
}

/** Yields the number of chunks that each transaction has re-encrypted. */
async function* reencryptAttachment(
  { db, secrets, key, requireNewest }: ReencryptOptions,
  id: string,
): AsyncIterable<number> {
  const header = Buffer.from(toCipherHeader(key))
  for (let last: number | undefined = -1; last !== undefined; ) {
    const from: number = last
    const { end, count } = await db.transaction().execute(async (tx) => {
      await tx.updateTable('attachments').set('id', id).where('id', '=', id).execute()
      await requireNewest(tx)
      const chunks = await tx
        .selectFrom('attachment_chunks')
        .select(['position', 'sealed'])
        .where('attachment_id', '=', id)
        .where('position', '>', from)
        .orderBy('position')
        .limit(CHUNKS_PER_TRANSACTION)
        .execute()
      const older = chunks.filter(({ sealed }) => header.compare(sealed, 0, header.length) !== 0)
      for (const { position, sealed } of older) {
        await tx
          .updateTable('attachment_chunks')
          .set({ sealed: secrets.encryptBytes(secrets.decryptBytes(sealed)) })
          .where('attachment_id', '=', id)
          .where('position', '=', position)
          .execute()
      }
      return { end: chunks.at(-1)?.position, count: older.length }
    })
    last = end
    if (count > 0) yield count
  }
}
