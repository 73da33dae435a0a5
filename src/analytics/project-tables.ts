/** Tables of a project's persons, besides `persons` itself, that name an ID. All stores have them. */
export const ID_TABLES = ['person_ids', 'person_ids_base', 'person_edits', 'identity_warnings']

/** The tables that a rebuild refills. Each has a copy, `..._base`, of persons and groups whose events are gone. */
export const DERIVED_TABLES = ['persons', 'person_ids', 'group_profiles']

/** Each table of persons, with its table of distinct IDs. */
export const PERSONS_AND_IDS = [
  ['persons', 'person_ids'],
  ['persons_base', 'person_ids_base'],
] as const

/** Other tables of a project's persons and groups. */
const OTHER_TABLES = [
  'persons',
  'persons_base',
  'person_bases',
  'group_types',
  'group_profiles',
  'group_profiles_base',
  'group_edits',
]

/** All tables that are emptied with a project, besides its events. */
export const PROJECT_TABLES = [...ID_TABLES, ...OTHER_TABLES]
