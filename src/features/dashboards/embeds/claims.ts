import { type Static, type TSchema, Type } from 'typebox'
import { isObject } from '#model/json.ts'
import { PropertyFilter } from '#model/query-kinds/common.schema.ts'
import { ApiError, invalid, required } from '#server/errors.ts'
import { requireStorable } from '#server/http/json-body.ts'
import { getSchemaCheck } from '#server/http/validation.ts'
import { requireDay, requireOrder } from '../links/viewer-choices.ts'
import { toViewerFilters, type ViewerFilters, ViewerFiltersWrite } from '../links/viewer-filters.ts'

const THEMES = ['light', 'dark', 'auto'] as const
type Theme = (typeof THEMES)[number]

/** No limit of properties that a page needs is near this. */
const MAX_PROPERTIES = 50
const Day = Type.String({ maxLength: 400 })

const Filters = Type.Object({
  properties: Type.Optional(Type.Array(PropertyFilter, { minItems: 1, maxItems: MAX_PROPERTIES })),
  date_from: Type.Optional(Day),
  date_to: Type.Optional(Day),
})

/** The claims of this server. */
const OwnClaims = Type.Object({
  dashboard: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  insight: Type.Optional(
    Type.Union([
      Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      Type.String({ minLength: 1, maxLength: 20 }),
    ]),
  ),
  filters: Type.Optional(Filters),
  viewer_filters: Type.Optional(ViewerFiltersWrite),
  theme: Type.Optional(Type.Unsafe<Theme>({ type: 'string', enum: [...THEMES] })),
})
type OwnClaims = Static<typeof OwnClaims>

/** Claims that other standards define, and that identity providers add. */
const REGISTERED = [
  ...['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  ...['azp', 'client_id', 'scope', 'nonce', 'auth_time', 'acr', 'amr', 'sid'],
  ...['email', 'email_verified', 'name'],
]

const MAX_HOURS = 24
/** The clock of the signer may be this much ahead. */
export const LEEWAY_SECONDS = 60

/** The meaning of a token. */
export interface EmbedClaims {
  readonly target: { readonly dashboard: number } | { readonly insight: number | string }
  /** Every tile obeys them. undefined: there are none. */
  readonly filters: OwnClaims['filters']
  readonly viewerFilters: ViewerFilters | null
  readonly theme: Theme | undefined
}

/** Reads the claims of a token whose signature is right. Its signer may know what is wrong with them. */
export function parseClaims(claims: Readonly<Record<string, unknown>>): EmbedClaims {
  requireStorable(claims)
  requireTimes(claims)
  const own = Object.fromEntries(
    Object.entries(claims).filter(([name]) => !REGISTERED.includes(name)),
  )
  requireKnown(OwnClaims, own, '')
  const { dashboard, insight, filters, viewer_filters, theme } = requireValid(own)
  if ((dashboard === undefined) === (insight === undefined)) {
    throw invalid('dashboard', 'Name either a dashboard or an insight.')
  }
  if (filters) requireFilters(filters)
  return {
    target: insight === undefined ? { dashboard: dashboard as number } : { insight },
    filters,
    viewerFilters: toViewerFilters(viewer_filters ?? null),
    theme,
  }
}

function requireTimes({ exp, iat }: Readonly<Record<string, unknown>>): void {
  const now = Date.now() / 1000
  if (typeof exp !== 'number') throw required('exp')
  if (exp > now + MAX_HOURS * 3600 + LEEWAY_SECONDS) {
    throw invalid('exp', `The token must end within ${MAX_HOURS} hours.`)
  }
  if (iat !== undefined && !(typeof iat === 'number' && iat <= now + LEEWAY_SECONDS)) {
    throw invalid('iat', 'The token must not be issued in the future.')
  }
}

function requireValid(own: unknown): OwnClaims {
  try {
    getSchemaCheck(OwnClaims)(own, '')
  } catch (error) {
    // the check names fields below a field
    if (!(error instanceof ApiError)) throw error
    throw invalid(error.attr?.replace(/^__/, '') ?? null, error.message, error.code)
  }
  return own as OwnClaims
}

/** A lock that limits nothing is a mistake: the page would show everybody's data. */
function requireFilters({ properties, date_from, date_to }: NonNullable<OwnClaims['filters']>) {
  if (!properties && date_from === undefined && date_to === undefined) {
    throw invalid('filters', 'Enter `properties` or dates, or leave `filters` out.')
  }
  for (const [at, { operator, value }] of (properties ?? []).entries()) {
    const needsValue = operator !== 'is_set' && operator !== 'is_not_set'
    const isEmpty = [value ?? []].flat().length === 0
    if (needsValue && isEmpty) throw required(`filters__properties__${at}__value`)
  }
  if (date_from !== undefined) requireDay('filters__date_from', date_from)
  if (date_to !== undefined) requireDay('filters__date_to', date_to)
  requireOrder({ date_from, date_to }, 'filters__date_to')
}

interface Described {
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
  readonly anyOf?: readonly Described[]
  readonly display?: readonly string[]
}

/** Refuses by name what this server does not understand, whatever its value. */
function requireKnown(schema: TSchema | Described, value: unknown, attr: string): void {
  const { properties, items, anyOf, display = [] } = schema as Described
  if (Array.isArray(value)) {
    const inner = items ?? anyOf?.find((each) => each.items)?.items
    if (inner) for (const [at, each] of value.entries()) requireKnown(inner, each, `${attr}__${at}`)
  } else if (isObject(value) && properties) {
    for (const [key, each] of Object.entries(value)) {
      const path = attr === '' ? key.slice(0, 100) : `${attr}__${key.slice(0, 100)}`
      if (Object.hasOwn(properties, key)) requireKnown(properties[key] as Described, each, path)
      else if (!display.includes(key)) throw invalid(path, `"${key.slice(0, 100)}" is not known.`)
    }
  }
}
