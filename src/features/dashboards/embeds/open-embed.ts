import type { FastifyRequest } from 'fastify'
import type { JWTPayload } from 'jose'
import { createThrottle } from '#server/access/throttle.ts'
import type { Db } from '#server/db/schema.ts'
import type { Egress } from '#server/egress/egress.ts'
import { ApiError } from '#server/errors.ts'
import { getQueryContext } from '#server/features/accounts/projects/query-context.ts'
import type { Secrets } from '#server/secrets/secrets.ts'
import type { RequestOverrides } from '../dashboards/tile-results.ts'
import { findInsight } from '../insight-rows/store.ts'
import type { OpenPage } from '../links/open-link.ts'
import { findCurrent } from '../links/shown.ts'
import type { ViewerChoices } from '../links/viewer-choices.ts'
import { type EmbedClaims, parseClaims } from './claims.ts'
import { createKeySets } from './key-sets.ts'
import { findSettings } from './store.ts'
import { verifyToken } from './verify-token.ts'

export interface EmbedDeps {
  readonly db: Db
  readonly secrets: Secrets
  readonly egress: Egress
}

/** A page that a token opens. */
export interface OpenEmbed extends OpenPage {
  readonly theme: EmbedClaims['theme']
  readonly filters: EmbedClaims['filters']
}

/** Tells the tokens of signed embeds from those of public links, which have no dots. */
export const isSigned = (token: string): boolean => token.split('.').length > 2

/** The same for every token that does not count. */
const refused = (): ApiError =>
  new ApiError(
    'authentication_failed',
    'The token of this page is wrong or has ended. Reload the page that shows it.',
  )

const unknown = (): ApiError =>
  new ApiError(
    'not_found',
    'The dashboard or insight of this token is not in its project, or was deleted.',
  )

/** Creates the function that opens the page of a token. Wrong tokens are throttled by network. */
export function createEmbedOpener({ db, secrets, egress }: EmbedDeps) {
  const throttle = createThrottle()
  const deps = { db, secrets, findKeySet: createKeySets(egress) }

  return async ({ ip }: Pick<FastifyRequest, 'ip'>, token: string): Promise<OpenEmbed> => {
    throttle.require(ip)
    const verified = await verifyToken(deps, token, (claims) => findProjectOf(db, claims))
    if ('rejected' in verified) {
      if (verified.rejected === 'wrong') throttle.countFailure(ip)
      throw refused()
    }
    return findEmbed(db, verified.projectId, parseClaims(verified.claims))
  }
}

export type OpenEmbedPage = ReturnType<typeof createEmbedOpener>

async function findEmbed(
  db: Db,
  projectId: number,
  { target, filters, viewerFilters, theme }: EmbedClaims,
): Promise<OpenEmbed> {
  const insight = 'insight' in target ? await findInsight(db, projectId, target.insight) : undefined
  if ('insight' in target && !insight) throw unknown()
  const shown = await findCurrent(db, {
    project_id: projectId,
    dashboard_id: 'dashboard' in target ? target.dashboard : null,
    insight_id: insight?.id ?? null,
  })
  if (shown?.project_id !== projectId) throw unknown()
  const { embed_origins } = await findSettings(db, projectId)
  const link = {
    id: `embed ${JSON.stringify([shown.noun, shown.id, filters])}`,
    project_id: projectId,
    // annotations are of the whole project
    shows_annotations: 0,
    allows_exports: 1,
    embed_origins,
    viewer_filters: viewerFilters && JSON.stringify(viewerFilters),
    snapshot_at: null,
  } as const
  return { link, shown, theme, filters }
}

/** Finds the project that a token is about. It is not verified yet. */
async function findProjectOf(db: Db, claims: JWTPayload): Promise<number | undefined> {
  const { dashboard, insight } = claims
  const [table, column, value] =
    insight === undefined
      ? (['dashboards', 'id', dashboard] as const)
      : typeof insight === 'string' && !/^\d+$/.test(insight)
        ? (['insights', 'short_id', insight] as const)
        : (['insights', 'id', Number(insight)] as const)
  if (typeof value !== 'string' && !Number.isSafeInteger(value)) return undefined
  const found = await db
    .selectFrom(table)
    .select('project_id')
    .where(column as 'id', '=', value as number)
    .executeTakeFirst()
  return found?.project_id
}

/** Adds the filters of a token to the choices of a viewer, which can only narrow them. */
export async function toEmbedOverrides(
  db: Db,
  { link: { project_id }, filters }: OpenEmbed,
  { overrides = {} }: Pick<ViewerChoices, 'overrides'>,
): Promise<RequestOverrides> {
  if (!filters) return overrides
  const { properties = [], date_from, date_to } = filters
  const hasDates = date_from !== undefined || date_to !== undefined
  const lock = { properties, hasDates }
  if (!hasDates) return { ...overrides, lock }
  const { dates } = overrides
  const calendar = dates?.calendar ?? (await getQueryContext(db, project_id))
  return {
    ...overrides,
    lock,
    dates: {
      date_from: last(date_from, dates?.date_from),
      date_to: first(date_to, dates?.date_to),
      calendar,
    },
  }
}

/** Days are written so that they sort. */
const last = (...days: (string | undefined)[]): string | undefined => toDays(days).at(-1)
const first = (...days: (string | undefined)[]): string | undefined => toDays(days)[0]

const toDays = (days: readonly (string | undefined)[]): string[] =>
  days.filter((day) => day !== undefined).sort()
