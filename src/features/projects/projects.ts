import type { KeyHolder } from '../../access/keys.ts'
import type { Db } from '../../db/schema.ts'
import { notFound } from '../../errors.ts'
import { toId } from '../../http/ids.ts'
import { findUser, toUser } from '../users/store.ts'
import type { Me, Project } from './schema.ts'
import { findProject } from './store.ts'

/** What the owner of a key reaches, less what the key itself is limited to. */
export const visibleProjects = ({ memberOf, projects }: KeyHolder): number[] =>
  [...memberOf].filter((id) => !projects || projects.has(id))

/** Another's project does not exist. */
export async function getProject(db: Db, holder: KeyHolder, asked: string): Promise<Project> {
  const id = asked === '@current' ? holder.currentProject : toId(asked)
  const project =
    id !== undefined && visibleProjects(holder).includes(id) && (await findProject(db, id))
  if (!project) throw notFound()
  return project
}

export async function getMe(db: Db, holder: KeyHolder): Promise<Me> {
  const user = await findUser(db, holder.userId)
  if (!user) throw notFound()
  const { id, name } = await db.selectFrom('organizations').selectAll().executeTakeFirstOrThrow()
  const organization = { id, name, membership_level: user.level }
  const current = holder.currentProject
  return {
    ...toUser(user),
    date_joined: user.created_at,
    has_password: user.password_hash !== null,
    team: current === undefined ? null : ((await findProject(db, current)) ?? null),
    organization,
    organizations: [organization],
  }
}
