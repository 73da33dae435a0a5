import type { Tx } from '#server/db/schema.ts'
import { type Flag, now } from '#server/db/values.ts'
import type { Change, Detail } from './schema.ts'
import { type ActivityScope, changesBetween, insertActivity } from './store.ts'

interface LogOptions<Item, State> {
  /** Reads the id and the name under which an item is logged. */
  readonly toItem: (item: Item) => { readonly id: number; readonly name: string }
  /** Reads the fields whose changes are logged. */
  readonly toLogged?: (state: State) => Readonly<Record<string, unknown>>
}

interface Actor {
  readonly projectId: number
  /** null: the system or the command line. */
  readonly userId: number | null
}

/** Defines how the activity of a kind of items is logged. `State` is an item with everything that its log shows. */
export function defineLog<Item extends object, State = Item>(
  scope: ActivityScope,
  { toItem, toLogged = () => ({}) }: LogOptions<Item, State>,
) {
  /**
   * Takes the transaction of the change, so both commit or neither does. `changes` is null only for activities that
   * PostHog logs so: apps that are installed or uninstalled, and jobs.
   */
  async function logActivity(
    tx: Tx,
    { projectId, userId }: Actor,
    item: Item,
    activity: string,
    changes: Change[] | null = [],
    trigger: Detail['trigger'] = null,
  ): Promise<void> {
    const { id, name } = toItem(item)
    const detail: Detail = { name, changes, trigger, type: null, short_id: null }
    await insertActivity(tx, {
      project_id: projectId,
      scope,
      item_id: id,
      activity,
      user_id: userId,
      detail: JSON.stringify(detail),
      created_at: now(),
    })
  }
  const listChanges = (before: State, after: State): Change[] =>
    changesBetween(scope, toLogged(before), toLogged(after))

  /** Logs changes, and that the item was moved to the trash or restored. */
  async function logUpdate(
    tx: Tx,
    actor: Actor,
    { before, after }: Readonly<Record<'before' | 'after', Item & { readonly deleted?: Flag }>>,
    changes: Change[],
  ): Promise<void> {
    if (changes.length > 0) await logActivity(tx, actor, after, 'updated', changes)
    if (before.deleted === after.deleted) return
    await logActivity(tx, actor, after, after.deleted ? 'deleted' : 'restored')
  }
  return { logActivity, listChanges, logUpdate }
}
