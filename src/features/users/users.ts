import type { Db } from '../../db/schema.ts'
import { now, randomText, uuid } from '../../db/values.ts'

export interface NewUser {
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly level: number
  readonly currentProject: number | null
  readonly passwordHash: string | null
}

export function insertUser(db: Db, user: NewUser) {
  return db
    .insertInto('users')
    .values({
      uuid: uuid(),
      distinct_id: randomText(43),
      first_name: user.firstName,
      last_name: user.lastName,
      email: user.email,
      email_key: user.email.toLowerCase(),
      is_email_verified: 0,
      level: user.level,
      current_project_id: user.currentProject,
      password_hash: user.passwordHash,
      created_at: now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}
