import { useGroupTypes } from '../../groups/api.ts'

/** Words for what is behind a number: persons, or the groups of a type. */
export interface Nouns {
  readonly one: string
  readonly many: string
  /** Heads a column and begins a title. */
  readonly heading: string
  readonly title: string
}

const PERSONS: Nouns = { one: 'person', many: 'persons', heading: 'Person', title: 'Persons' }

/** Returns the names of a type of groups; without an index, those of persons. */
export function useNouns(index: number | undefined): Nouns {
  const types = useGroupTypes({ enabled: index !== undefined })
  if (index === undefined) return PERSONS
  const type = types.find(({ group_type_index }) => group_type_index === index)
  return {
    one: 'group',
    many: 'groups',
    heading: type?.name_singular ?? type?.group_type ?? 'Group',
    title: type?.name_plural ?? 'Groups',
  }
}
