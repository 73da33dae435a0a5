import { type Expression, type SqlBool, sql } from 'kysely'
import { changeProject } from '../db/change.ts'
import { purgeDeletedRows } from '../db/dialect.ts'
import type { Db, Tx } from '../db/schema.ts'
import { toHeader, toTextHeader } from './cipher.ts'
import type { SecretKey } from './keys.ts'
import type { Secrets } from './secrets.ts'

const TEXTS_AT_A_TIME = 200
/** Of at most 1 MiB each. */
const CHUNKS_AT_A_TIME = 8

/** Sealed texts in records of projects. */
const TEXTS = [
  ['plugin_configs', 'settings'],
  ['alerts', 'signing_secret'],
  ['subscriptions', 'signing_secret'],
] as const
type Place = (typeof TEXTS)[number]
const SETTINGS = TEXTS[0]

export interface ReencryptedCounts {
  /** And signing secrets. */
  readonly settings: number
  readonly chunks: number
}

const isPlain = sql<SqlBool>`settings like '{%'`

/** Earlier versions stored settings as they are. */
export async function encryptPlainSettings(db: Db, secrets: Secrets): Promise<void> {
  const configs = db.selectFrom('plugin_configs').select('project_id').distinct()
  const projects = await configs.where(isPlain).execute()
  if (projects.length === 0) return
  for (const { project_id } of projects) {
    for await (const _ of rewriteTexts(db, project_id, SETTINGS, isPlain, secrets.encryptText));
  }
  await purgeDeletedRows(db)
}

/**
 * Seals anew what another key sealed. Servers may write meanwhile: each transaction here waits for those that seal
 * under the same lock, and whatever they seal after it is under the new key already. So no project and no attachment
 * is left out, not even one that seems to hold nothing. `requireOwn` throws when this is no longer the newest key.
 */
export async function reencryptAll(
  db: Db,
  secrets: Secrets,
  key: SecretKey,
  requireOwn: (tx: Tx) => Promise<void>,
  tell: (done: ReencryptedCounts) => void,
): Promise<ReencryptedCounts> {
  let done: ReencryptedCounts = { settings: 0, chunks: 0 }
  const reseal = (sealed: string) => secrets.encryptText(secrets.decryptText(sealed))
  const isOlder = ([, column]: Place) =>
    sql<SqlBool>`${sql.ref(column)} not like ${`${toTextHeader(key)}%`}`
  for (const { id } of await db.selectFrom('projects').select('id').orderBy('id').execute()) {
    for (const place of TEXTS) {
      for await (const texts of rewriteTexts(db, id, place, isOlder(place), reseal, requireOwn)) {
        done = { ...done, settings: done.settings + texts }
        tell(done)
      }
    }
  }
  for (const { id } of await db.selectFrom('attachments').select('id').orderBy('id').execute()) {
    for await (const chunks of resealAttachment(db, secrets, key, id, requireOwn)) {
      done = { ...done, chunks: done.chunks + chunks }
      tell(done)
    }
  }
  return done
}

interface Text {
  readonly id: number
  readonly text: string
}

/** Yields how many it has rewritten each time. */
async function* rewriteTexts(
  db: Db,
  projectId: number,
  [table, column]: Place,
  isDue: Expression<SqlBool>,
  rewrite: (text: string) => string,
  requireOwn: (tx: Tx) => Promise<void> = async () => {},
): AsyncIterable<number> {
  for (let count = TEXTS_AT_A_TIME; count === TEXTS_AT_A_TIME; ) {
    count = await changeProject(db, projectId, async (tx) => {
      await requireOwn(tx)
      const [from, text] = [sql.table(table), sql.ref(column)]
      const due = sql`project_id = ${projectId} and ${isDue} limit ${sql.lit(TEXTS_AT_A_TIME)}`
      const found = sql<Text>`select id, ${text} as text from ${from} where ${due}`
      const { rows } = await found.execute(tx)
      for (const row of rows) {
        const own = sql`id = ${row.id}`
        await sql`update ${from} set ${text} = ${rewrite(row.text)} where ${own}`.execute(tx)
      }
      return rows.length
    })
    if (count > 0) yield count
  }
}

/** Yields how many pieces it has sealed anew each time. */
async function* resealAttachment(
  db: Db,
  secrets: Secrets,
  key: SecretKey,
  id: string,
  requireOwn: (tx: Tx) => Promise<void>,
): AsyncIterable<number> {
  const head = Buffer.from(toHeader(key))
  for (let last: number | undefined = -1; last !== undefined; ) {
    const from: number = last
    const { end, count } = await db.transaction().execute(async (tx) => {
      await tx.updateTable('attachments').set('id', id).where('id', '=', id).execute()
      await requireOwn(tx)
      const chunks = await tx
        .selectFrom('attachment_chunks')
        .select(['position', 'sealed'])
        .where('attachment_id', '=', id)
        .where('position', '>', from)
        .orderBy('position')
        .limit(CHUNKS_AT_A_TIME)
        .execute()
      const older = chunks.filter(({ sealed }) => head.compare(sealed, 0, head.length) !== 0)
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
