import { countsAction, listCounted, toActionId } from '#model/query-kinds/counted.ts'
import { invalid, required } from '#server/errors.ts'
import { hasEffect } from '#server/http/require-understood.ts'

/** Requires that parts of a query which count an action have its ID, and that the others have none. */
export function requireCounted(query: object, attr: string): void {
  for (const { node, path, nameField } of listCounted(query)) {
    const at = `${attr}__${path}`
    if (!countsAction(node)) {
      if (typeof node.id !== 'number') continue
      throw invalid(`${at}__id`, '"id" is of an action: set "kind" to "ActionsNode".')
    }
    if (!hasEffect(node.id)) throw required(`${at}__id`)
    if (!Number.isSafeInteger(toActionId(node))) {
      throw invalid(`${at}__id`, 'Enter the ID of an action.')
    }
    if (nameField === 'event' && hasEffect(node.event)) {
      throw invalid(`${at}__event`, 'The steps of an action name its events.')
    }
  }
}
