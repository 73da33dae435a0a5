import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { invalid } from '../errors.ts'
import { toId, toUuid } from '../http/ids.ts'
import { toValues } from '../http/list-parameter.ts'

type Users = ExpressionBuilder<Schema, keyof Schema>

/** Selects the users that a `created_by` filter names by ID or UUID. */
export function createdByFilter(text: string, attr = 'created_by') {
  const named = toValues(text).map((each) => ({ id: toId(each), uuid: toUuid(each) }))
  if (named.some(({ id, uuid }) => id === undefined && uuid === undefined)) {
    throw invalid(attr, 'Must be the ID or UUID of a user.')
  }
  const ids = named.map(({ id }) => id ?? 0)
  const uuids = named.map(({ uuid }) => uuid ?? '')
  return (eb: Users) =>
    eb
      .selectFrom('users')
      .select('users.id')
      .where((user) =>
        user.or([user('users.id', 'in', [0, ...ids]), user('users.uuid', 'in', ['', ...uuids])]),
      )
}
