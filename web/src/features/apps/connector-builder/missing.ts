import type { Draft } from './draft.ts'
import { toList } from './narrow.ts'
import { findMissingOfParents } from './parents.ts'
import { followSteps, isComplete } from './steps.ts'

/** Names what is still missing before the draft can run, or returns undefined. */
export function findMissing(draft: Draft): string | undefined {
  const { list, roles, event, filter, parts, steps } = draft
  if (list === undefined) return 'Choose the list of records in the response.'
  if (roles.person === undefined) return 'Choose the value that identifies the person.'
  if (event.trim() === '') return 'Name the event.'
  if (!steps.every(isComplete)) return 'Complete each step.'
  for (const [role, purpose] of KEPT) {
    const path = roles[role]
    if (path !== undefined && followSteps(path, steps) === undefined) {
      return `Do not remove "${path}": it ${purpose}.`
    }
  }
  if (filter.some(({ path }) => path === '')) return 'Enter the path of each condition.'
  if (parts.some(({ values }) => toList(values).length === 0)) {
    return 'Enter the values of each partition.'
  }
  return findMissingOfParents(draft)
}

/** The values that are read after the steps. That of the ID is read before. */
const KEPT = [
  ['person', 'identifies the person'],
  ['time', 'is the time of the event'],
] as const
