import { useLocalStorage } from '@mantine/hooks'
import { useMemo, useState } from 'react'
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
  const [suggested, suggest] = useState<readonly string[]>([])
  // once, because other columns with each search would look like other persons
  if (suggested.length === 0 && persons.length > 0) {
    const found = suggestColumns(persons)
    if (found.length > 0) suggest(found)
  }
  return { known, columns: chosen ?? suggested, choose }
}

/** Names of the properties of persons or groups, most frequent first. */
export function toPropertyNames(persons: readonly Pick<Person, 'properties'>[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const { properties } of persons) {
    for (const name of Object.keys(properties)) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name]) => name)
}

/** IDs that advertisers and mail services add to links; posthog-js stores them with persons. */
const CLICK_ID =
  /clid$|^(_kx|bfcid|epik|gad_source|irclid|mc_cid|qclid|rdt_cid|sccid|wbraid|gbraid)$/

/** Names with `$` come from libraries, and a property without values needs no column. */
function suggestColumns(persons: readonly Person[]): readonly string[] {
  const withValue = persons.map(({ properties, ...person }) => ({
    ...person,
    properties: Object.fromEntries(
      Object.entries(properties).filter(([, value]) => value !== null && value !== ''),
    ),
  }))
  return toPropertyNames(withValue)
    .filter((name) => !name.startsWith('$') && !CLICK_ID.test(name))
    .filter((name) => !NAMING.includes(name.toLowerCase()))
    .slice(0, SUGGESTED)
}
