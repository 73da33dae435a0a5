import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { invalid } from '../errors.ts'
import { toId, toUuid } from '../http/ids.ts'

type Users = ExpressionBuilder<Schema, keyof Schema>

/** Selects the user that a `created_by` filter names by ID or UUID. */
export function createdByFilter(text: string, attr = 'created_by') {
  const id = toId(text)
  const uuid = toUuid(text)
  if (id === undefined && uuid === undefined) {
    throw invalid(attr, 'Must be the ID or UUID of a user.')
  }
  return (eb: Users) =>
    eb
      .selectFrom('users')
      .select('users.id')
      .where((user) =>
        user.or([user('users.id', '=', id ?? 0), user('users.uuid', '=', uuid ?? '')]),
      )
}
