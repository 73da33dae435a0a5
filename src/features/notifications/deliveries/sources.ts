import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { Delivery } from './schema.ts'
import { newSigningSecret } from './signature.ts'
import type { DeliverySource } from './store.ts'

interface SourceRow {
  readonly id: number
  readonly project_id: number
}

/** What sends: alerts or subscriptions. Here is what can be done to both alike. */
export interface NotificationSource<Row extends SourceRow = SourceRow> {
  readonly noun: 'Alert' | 'Subscription'
  readonly tags: string[]
  /** Throws when there is no such one. */
  get(db: Db, caller: Caller, id: string): Promise<Row>
  /** Says in the activity log what the caller did to it. */
  log(tx: Tx, caller: Caller, row: Row, activity: string): Promise<void>
  /** Queues a test. */
  test(caller: Caller, id: string): Promise<Delivery[]>
}

const TABLES = { Alert: 'alerts', Subscription: 'subscriptions' } as const
const COLUMNS = { Alert: 'alert_id', Subscription: 'subscription_id' } as const

export const toDeliverySource = (
  noun: NotificationSource['noun'],
  { id, project_id }: SourceRow,
): DeliverySource => ({
  projectId: project_id,
  column: COLUMNS[noun],
  id,
})

/** Its deliveries go with it, its activity stays. */
export const removeSource = <Row extends SourceRow>(
  db: Db,
  { noun, get, log }: NotificationSource<Row>,
  caller: Caller,
  id: string,
): Promise<void> =>
  changeProject(db, caller.projectId, async (tx) => {
    const row = await get(tx, caller, id)
    await tx
      .deleteFrom(TABLES[noun])
      .where('project_id', '=', row.project_id)
      .where('id', '=', row.id)
      .execute()
    await log(tx, caller, row, 'deleted')
  })

export const rotateSigningSecret = <Row extends SourceRow>(
  db: Db,
  secrets: Secrets,
  { noun, get, log }: NotificationSource<Row>,
  caller: Caller,
  id: string,
): Promise<{ signing_secret: string }> =>
  changeProject(db, caller.projectId, async (tx) => {
    const row = await get(tx, caller, id)
    const signing_secret = newSigningSecret()
    await tx
      .updateTable(TABLES[noun])
      .set({ signing_secret: secrets.sealText(signing_secret) })
      .where('project_id', '=', row.project_id)
      .where('id', '=', row.id)
      .execute()
    await log(tx, caller, row, 'secret rotated')
    return { signing_secret }
  })
