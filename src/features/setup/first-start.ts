import { generateApiKey, insertApiKey } from '#server/access/keys.ts'
import { changeAccess } from '#server/db/change.ts'
import { lockMigrations } from '#server/db/dialect.ts'
import type { Db } from '#server/db/schema.ts'
import { now, randomText, uuid } from '#server/db/values.ts'
import { insertProject } from '../accounts/projects/store.ts'
import { insertOneTimeToken } from '../accounts/sessions/one-time-tokens-store.ts'
import { hashPassword } from '../accounts/users/passwords.ts'
import { insertUser } from '../accounts/users/store.ts'
import { deleteAbandonedUploads } from '../import-apps/attachments/store.ts'
import { installBuiltInPlugins } from '../import-apps/plugins/built-in.ts'
import { recompileOutdatedPlugins } from '../import-apps/plugins/updates.ts'

export interface FirstStartOptions {
  readonly apiKey: string | undefined
  readonly email: string | undefined
  readonly password: string | undefined
}

/** Credentials to print once. Values from the settings are left out. */
export interface FirstCredentials {
  readonly email: string
  readonly password: string | undefined
  readonly apiKey: string | undefined
  /** The token of the set-up link. */
  readonly setUpToken: string
}

const OWNER_LEVEL = 15

export const isFirstStart = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('organizations').select('id').executeTakeFirst()) === undefined

/** Creates the organization, project 1, the owner and a key on empty storage, in one transaction. */
function firstStart(db: Db, options: FirstStartOptions): Promise<FirstCredentials | undefined> {
  return changeAccess(db, async (tx) => {
    await lockMigrations(tx) // two servers may start on the same empty database
    if (!(await isFirstStart(tx))) return undefined
    const email = options.email ?? 'owner@hedgerow.local'
    const password = options.password ?? randomText(16)
    const apiKey = options.apiKey ?? generateApiKey()
    const organization = { id: uuid(), name: 'My organization', created_at: now() }
    await tx.insertInto('organizations').values(organization).execute()
    const project = await insertProject(tx, organization.id, 'Default project')
    const owner = await insertUser(tx, {
      email,
      firstName: 'Owner',
      lastName: '',
      level: OWNER_LEVEL,
      currentProject: project.id,
      passwordHash: await hashPassword(password),
    })
    await insertApiKey(tx, {
      userId: owner.id,
      label: 'First key',
      scopes: ['*'],
      projects: undefined,
      expiresAt: undefined,
      value: apiKey,
    })
    return {
      email,
      password: options.password ? undefined : password,
      apiKey: options.apiKey ? undefined : apiKey,
      setUpToken: await insertOneTimeToken(tx, 'set_up', owner.id),
    }
  })
}

/** Runs at every start, after the migrations. */
export async function prepareStorage(
  db: Db,
  options: FirstStartOptions,
): Promise<FirstCredentials | undefined> {
  await installBuiltInPlugins(db)
  await recompileOutdatedPlugins(db)
  await deleteAbandonedUploads(db)
  return firstStart(db, options)
}
