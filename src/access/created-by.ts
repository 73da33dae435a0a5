import type { ExpressionBuilder } from 'kysely'
import type { Schema } from '../db/schema.ts'
import { invalid } from '../errors.ts'
import { toId, toUuid } from '../http/ids.ts'

type Users = ExpressionBuilder<Schema, keyof Schema>

/** The ids of whom `created_by`, or what the key is called, means: a user's id or uuid. */
export function createdByFilter(text: string, attr = 'created_by') {
  const id = toId(text)
  const uuid = toUuid(text)
  if (id === undefined && uuid === undefined) {
    throw invalid(attr, 'Must be the id or the UUID of a user.')
  }
  return (eb: Users) =>
    eb
      .selectFrom('users')
      .select('users.id')
      .where((user) =>
        user.or([user('users.id', '=', id ?? 0), user('users.uuid', '=', uuid ?? '')]),
      )
}
