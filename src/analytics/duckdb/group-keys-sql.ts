import { GROUPS_KEY, MAX_GROUP_KEY } from '../groups/group-keys.ts'
import { GROUP_INDEXES } from '../groups/group-types.ts'

/** Adds the columns of group keys to facts of an earlier version. */
export const ADD_GROUP_COLUMNS = GROUP_INDEXES.map(
  (index) => `alter table if exists facts add column if not exists g${index} varchar`,
)

/** The groups of an event as JSON, or null. */
export const GROUPS_OBJECT = `case when contains(properties, '"${GROUPS_KEY}"')
  and json_type(properties, '/${GROUPS_KEY}') = 'OBJECT' then json_extract(properties, '/${GROUPS_KEY}') end`

/** The JSON pointer to a type in `GROUPS_OBJECT`. */
const POINTER = "'/' || replace(replace(name, '~', '~0'), '/', '~1')"

/** Selects the pointers to each project's types as `pointer0` to `pointer4`. */
export const GROUP_POINTERS = `select project_id,
  ${GROUP_INDEXES.map((index) => `max(${POINTER}) filter (where type_index = ${index}) as pointer${index}`).join()}
  from group_types group by project_id`

export const toPointerQuery = (projectId: number, index: number): string =>
  `(select ${POINTER} from group_types where project_id = ${projectId} and type_index = ${index})`

/** Converts the key of a group to text; it must be a text, number or boolean that is not empty. */
export const toGroupKeySql = (groups: string, pointer: string): string =>
  `case when json_type(${groups}, ${pointer}) in ('VARCHAR', 'UBIGINT', 'BIGINT', 'DOUBLE', 'BOOLEAN')
    then nullif(left(json_extract_string(${groups}, ${pointer}), ${MAX_GROUP_KEY}), '') end`
