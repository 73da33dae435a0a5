import { type Insertable, type Selectable, sql } from 'kysely'
import { compileOnce } from '#server/db/compile-once.ts'
import { countRows } from '#server/db/count-rows.ts'
import { isPostgres } from '#server/db/dialect.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Schema, Tx } from '#server/db/schema.ts'
import { inSeconds, now, randomText } from '#server/db/values.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { Receives } from '../plugins/package/receives.ts'
import type { ConfigField } from '../plugins/schema.ts'
import type { Settings } from '../setting-rules.ts'
import { DEFAULT_INTAKE, type Intake, type WebhookRequest } from './schema.ts'

export type AddressRow = Selectable<Schema['webhook_addresses']>
type RequestRow = Selectable<Schema['webhook_requests']> & Selectable<Schema['webhook_states']>

/** The content of a request, which is stored encrypted. */
export interface RequestContent {
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A config that an address leads to. */
export interface Receiver {
  readonly configId: number
  readonly projectId: number
  readonly pluginId: number
  readonly isEnabled: boolean
  /** Encrypted. */
  readonly settings: string
  readonly intake: Intake
  readonly receives: Receives
  /** The values of settings that are not set. */
  readonly defaults: Settings
  /** The end of the address; null: never. */
  readonly expiresAt: string | null
}

export const toIntake = (text: string | null): Intake => ({
  ...DEFAULT_INTAKE,
  ...(text !== null && JSON.parse(text)),
})

const selectReceiver = compileOnce((db: Db, token: string, time: string) =>
  db
    .selectFrom('webhook_addresses as address')
    .innerJoin('plugin_configs as config', 'config.id', 'address.config_id')
    .innerJoin('plugins as plugin', 'plugin.id', 'config.plugin_id')
    .select(['config.id', 'config.project_id', 'config.plugin_id', 'config.enabled'])
    .select(['config.settings', 'config.intake', 'plugin.receives', 'plugin.config_schema'])
    .select('address.expires_at')
    .where('address.token', '=', token)
    .where('config.deleted', '=', sql.lit(0))
    .where((eb) =>
      eb.or([eb('address.expires_at', 'is', null), eb('address.expires_at', '>', time)]),
    ),
)

/** Finds the config of an address that works, outside the trash, whose app receives requests. */
export async function findReceiver(db: Db, token: string): Promise<Receiver | undefined> {
  const [row] = await selectReceiver(db, token, now())
  if (!row?.receives) return undefined
  return {
    configId: row.id,
    projectId: row.project_id,
    pluginId: row.plugin_id,
    isEnabled: row.enabled === 1,
    settings: row.settings,
    intake: toIntake(row.intake),
    receives: JSON.parse(row.receives),
    expiresAt: row.expires_at,
    defaults: Object.fromEntries(
      (JSON.parse(row.config_schema) as ConfigField[]).map((field) => [field.key, field.default]),
    ),
  }
}

const TOKEN_LENGTH = 43

/** Lists the addresses of a config that work, the newest first. */
export const listAddresses = (db: Db, configId: number): Promise<AddressRow[]> =>
  db
    .selectFrom('webhook_addresses')
    .selectAll()
    .where('config_id', '=', configId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now())]))
    .orderBy('created_at', 'desc')
    .orderBy('expires_at', 'desc')
    .execute()

export const insertAddress = (tx: Tx, configId: number): Promise<AddressRow> =>
  tx
    .insertInto('webhook_addresses')
    .values({
      token: randomText(TOKEN_LENGTH),
      config_id: configId,
      created_at: now(),
      expires_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()

/** Lets the current address of a config end, at once or later. */
export async function expireAddress(tx: Tx, configId: number, graceSeconds: number): Promise<void> {
  const current = tx
    .updateTable('webhook_addresses')
    .set({ expires_at: inSeconds(graceSeconds) })
    .where('config_id', '=', configId)
    .where('expires_at', 'is', null)
  await current.execute()
}

export interface NewRequest extends RequestContent {
  readonly delivery: string
  readonly method: string
  readonly contentType: string
  readonly size: number
}

const insertNewRow = compileOnce((db: Db, row: Insertable<Schema['webhook_requests']>) =>
  db
    .insertInto('webhook_requests')
    .values(row)
    .onConflict((conflict) => conflict.columns(['config_id', 'delivery']).doNothing())
    .returning('id'),
)

const insertState = compileOnce((db: Db, id: number, config_id: number) =>
  db
    .insertInto('webhook_states')
    .values({ id, config_id, state: sql.lit('waiting') })
    .returning('id'),
)

/**
 * Stores a request unless the delivery is already stored. Locks the project against a rotation of the secret key, which
 * must not miss what is encrypted here; other requests do not wait.
 */
export async function insertRequest(
  tx: Tx,
  secrets: Secrets,
  { configId, projectId }: Pick<Receiver, 'configId' | 'projectId'>,
  { delivery, method, contentType, size, ...content }: NewRequest,
): Promise<boolean> {
  if (isPostgres(tx)) {
    await tx.selectFrom('projects').select('id').where('id', '=', projectId).forShare().execute()
  }
  const [inserted] = await insertNewRow(tx, {
    project_id: projectId,
    config_id: configId,
    delivery,
    received_at: now(),
    method,
    content_type: contentType,
    size,
    content: secrets.encryptText(JSON.stringify(content)),
  })
  if (!inserted) return false
  await insertState(tx, inserted.id, configId)
  return true
}

export const toContent = (secrets: Secrets, row: Pick<RequestRow, 'content'>): RequestContent =>
  JSON.parse(secrets.decryptText(row.content))

const withStates = (db: Db) =>
  db
    .selectFrom('webhook_requests as request')
    .innerJoin('webhook_states as status', 'status.id', 'request.id')

const selectRequest = compileOnce((db: Db, configId: number, id: number) =>
  withStates(db)
    .selectAll('request')
    .select(['status.state', 'status.message', 'status.run_id'])
    .where('request.config_id', '=', configId)
    .where('request.id', '=', id),
)

export const findRequest = async (
  db: Db,
  configId: number,
  id: number,
): Promise<RequestRow | undefined> => (await selectRequest(db, configId, id))[0]

const SHOWN = ['id', 'received_at', 'method', 'content_type', 'size'] as const
const SHOWN_OF_STATE = ['state', 'message', 'run_id'] as const

/** Reads some requests of a config, in the order in which they came. */
export const listRequestRows = (
  db: Db,
  configId: number,
  ids: readonly number[],
): Promise<RequestRow[]> =>
  withStates(db)
    .selectAll('request')
    .select(['status.state', 'status.message', 'status.run_id'])
    .where('request.config_id', '=', configId)
    .where('request.id', 'in', ids)
    .orderBy('request.id')
    .execute()

/** Lists requests, newest first. */
export async function listRequests(
  db: Db,
  configId: number,
  state: WebhookRequest['state'] | undefined,
  { limit, offset }: PageRange,
): Promise<Slice<WebhookRequest>> {
  // each in the order of an index
  const matching =
    state === undefined
      ? withStates(db).where('request.config_id', '=', configId).orderBy('request.id', 'desc')
      : withStates(db)
          .where('status.config_id', '=', configId)
          .where('status.state', '=', state)
          .orderBy('status.id', 'desc')
  return {
    count: await countRows(matching.clearOrderBy()),
    results: await matching
      .select(SHOWN.map((key) => `request.${key}` as const))
      .select(SHOWN_OF_STATE.map((key) => `status.${key}` as const))
      .limit(limit)
      .offset(offset)
      .execute(),
  }
}

export const toWebhookRequest = (row: RequestRow): WebhookRequest =>
  Object.fromEntries(
    [...SHOWN, ...SHOWN_OF_STATE].map((key) => [key, row[key]]),
  ) as unknown as WebhookRequest

/** Deletes handled requests that are too old or too many, and addresses that have ended. */
export async function pruneRequests(db: Db): Promise<void> {
  await db.deleteFrom('webhook_addresses').where('expires_at', '<', now()).execute()
  const configs = await db
    .selectFrom('plugin_configs as config')
    .select(['config.id', 'config.intake'])
    .where('config.id', 'in', (eb) => eb.selectFrom('webhook_addresses').select('config_id'))
    .execute()
  for (const { id, intake } of configs) {
    const { keep_days, keep_requests } = toIntake(intake)
    const handled = db
      .deleteFrom('webhook_requests')
      .where('config_id', '=', id)
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('webhook_states')
          .select('webhook_states.id')
          .where('config_id', '=', id)
          .where('state', 'in', ['done', 'failed']),
      )
    await handled.where('received_at', '<', inSeconds(-keep_days * 24 * 3600)).execute()
    const last = await db
      .selectFrom('webhook_requests')
      .select('id')
      .where('config_id', '=', id)
      .orderBy('id', 'desc')
      .offset(keep_requests)
      .limit(1)
      .executeTakeFirst()
    if (last) await handled.where('id', '<=', last.id).execute()
  }
}
