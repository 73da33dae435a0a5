import { useLocalStorage } from '@mantine/hooks'
import { useMemo } from 'react'
import { useProjectId } from '../../api/project.ts'
import type { Person } from './api.ts'

/** More columns would leave no room for values. */
export const MAX_COLUMNS = 4
const SUGGESTED = 2
/** Shown as the name of a person. */
const NAMING = ['email', 'name', 'username']

/** Returns the property columns of the list, as chosen in this browser; at first the most frequent properties. */
export function useColumns(persons: readonly Person[]) {
  const key = `hedgerow-person-columns-${useProjectId()}`
  const [chosen, choose] = useLocalStorage<readonly string[] | null>({ key, defaultValue: null })
  const known = useMemo(() => toPropertyNames(persons), [persons])
  const columns = useMemo(() => chosen ?? suggestColumns(known), [chosen, known])
  return { known, columns, choose }
}

/** Names of the persons' properties, most frequent first. */
export function toPropertyNames(persons: readonly Person[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { properties } of persons) {
    for (const name of Object.keys(properties)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name)
}

/** Names with `$` come from libraries. */
const suggestColumns = (known: readonly string[]): readonly string[] =>
  known
    .filter((name) => !name.startsWith('$') && !NAMING.includes(name.toLowerCase()))
    .slice(0, SUGGESTED)
