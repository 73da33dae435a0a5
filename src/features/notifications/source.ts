import type { TObject, TSchema } from 'typebox'
import type { Caller } from '#server/access/guard.ts'
import { changeProject } from '#server/db/change.ts'
import type { PageRange, Slice } from '#server/db/page-range.ts'
import type { Db, Tx } from '#server/db/schema.ts'
import type { PathParameter } from '#server/http/params.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { WakeUps } from '#server/wake/wake-ups.ts'
import type { Results } from '../results/results.ts'
import type { Delivery } from './deliveries/schema.ts'
import { newSigningSecret } from './deliveries/signature.ts'
import type { DeliverySource } from './deliveries/store.ts'
import type { TargetPolicy } from './deliveries/targets.ts'

export interface NotificationDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly results: Results
  readonly wakeUps: WakeUps
  readonly targetPolicy: TargetPolicy
}

export interface SourceRow {
  readonly id: number
  readonly project_id: number
}

/** Describes a kind of resource that sends notifications: alerts or subscriptions. `routes.ts` serves both. */
export interface NotificationSource<Row extends SourceRow, Item, Create, Patch, Query> {
  readonly noun: 'Alert' | 'Subscription'
  readonly docs: SourceDocs
  /** Filters of PostHog's list that this one does not apply. */
  readonly unappliedFilters: readonly string[]
  readonly schemas: {
    readonly id: PathParameter
    readonly item: TSchema
    readonly itemWithSecret: TSchema
    readonly create: TSchema
    readonly patch: TSchema
    readonly query: TObject
  }
  list(db: Db, caller: Caller, query: Query, window: PageRange): Promise<Slice<Item>>
  create(deps: NotificationDeps, caller: Caller, body: Create): Promise<Item>
  patch(deps: NotificationDeps, caller: Caller, id: string, body: Patch): Promise<Item>
  /** Queues a test notification to every target. */
  test(deps: NotificationDeps, caller: Caller, id: string): Promise<Delivery[]>
  /** Throws `notFound` if the project has none with this id. */
  getRow(db: Db, caller: Caller, id: string): Promise<Row>
  toItem(db: Db, row: Row): Promise<Item>
  /** The id that callers use. */
  toItemId(row: Row): string
  updateSecret(tx: Tx, row: Row, sealed: string): Promise<unknown>
  delete(tx: Tx, row: Row): Promise<void>
  log(tx: Tx, caller: Caller, row: Row, activity: string): Promise<void>
}

/** The texts of the OpenAPI document that differ. */
interface SourceDocs {
  readonly create: { readonly summary: string; readonly description: string }
  readonly patch: { readonly summary: string; readonly description: string }
  readonly get: { readonly summary: string }
  readonly activity: { readonly summary: string }
}

export const toDeliverySource = (
  noun: 'Alert' | 'Subscription',
  { id, project_id }: SourceRow,
): DeliverySource => ({
  projectId: project_id,
  column: noun === 'Alert' ? 'alert_id' : 'subscription_id',
  id,
})

/** Deletes the deliveries too; the activity stays. */
export function removeSource<Row extends SourceRow>(
  { db }: Pick<NotificationDeps, 'db'>,
  source: Pick<NotificationSource<Row, never, never, never, never>, 'getRow' | 'delete' | 'log'>,
  caller: Caller,
  id: string,
): Promise<void> {
  return changeProject(db, caller.projectId, async (tx) => {
    const row = await source.getRow(tx, caller, id)
    await source.delete(tx, row)
    await source.log(tx, caller, row, 'deleted')
  })
}

export function rotateSigningSecret<Row extends SourceRow>(
  { db, secrets }: NotificationDeps,
  source: Pick<
    NotificationSource<Row, never, never, never, never>,
    'getRow' | 'updateSecret' | 'log'
  >,
  caller: Caller,
  id: string,
): Promise<{ signing_secret: string }> {
  return changeProject(db, caller.projectId, async (tx) => {
    const row = await source.getRow(tx, caller, id)
    const signing_secret = newSigningSecret()
    await source.updateSecret(tx, row, secrets.encryptText(signing_secret))
    await source.log(tx, caller, row, 'secret rotated')
    return { signing_secret }
  })
}
