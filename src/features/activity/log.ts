import type { Tx } from '#server/db/schema.ts'
import type { Flag } from '#server/db/values.ts'
import type { Change } from './schema.ts'
import { type ActivityScope, changesBetween, insertActivity } from './store.ts'

interface LogOptions<Item, State> {
  readonly toName: (item: Item) => string
  /** Reads the fields whose changes are logged. */
  readonly toLogged: (state: State) => Readonly<Record<string, unknown>>
}

type Actor = { readonly projectId: number; readonly userId: number | null }
type LoggedItem = { readonly id: number; readonly deleted?: Flag }

/** Defines how the activity of a kind of items is logged. `State` is an item with everything that its log shows. */
export function defineLog<Item extends LoggedItem, State = Item>(
  scope: ActivityScope,
  { toName, toLogged }: LogOptions<Item, State>,
) {
  const logActivity = (
    tx: Tx,
    { projectId, userId }: Actor,
    item: Item,
    activity: string,
    changes: readonly Change[] = [],
  ): Promise<void> => {
    const [itemId, name] = [item.id, toName(item)]
    return insertActivity(tx, { projectId, userId, scope, itemId, activity, name, changes })
  }
  const listChanges = (before: State, after: State): Change[] =>
    changesBetween(scope, toLogged(before), toLogged(after))

  /** Logs changes, and that the item was moved to the trash or restored. */
  async function logUpdate(
    tx: Tx,
    actor: Actor,
    { before, after }: { readonly before: Item; readonly after: Item },
    changes: readonly Change[],
  ): Promise<void> {
    if (changes.length > 0) await logActivity(tx, actor, after, 'updated', changes)
    if (before.deleted === after.deleted) return
    await logActivity(tx, actor, after, after.deleted ? 'deleted' : 'restored')
  }
  return { logActivity, listChanges, logUpdate }
}
