import { Type } from 'typebox'
import {
  LINK_AUDIENCES,
  LINK_STATES,
  type LinkAudience,
  type LinkState,
} from '#model/public-links.ts'
import type { Flag } from '#server/db/values.ts'
import type { LinkPolicy } from '#server/features/accounts/projects/store.ts'
import { userField } from '#server/features/accounts/users/user-texts.ts'
import { Time, TimeOrNull } from '#server/http/schemas.ts'
import { defineResource } from '#server/resource/resource.ts'
import { endOf, type LinkRules, stateOf } from './policy.ts'
import { toViewerFilters, ViewerFilters, ViewerFiltersWrite } from './viewer-filters.ts'

const Audience = Type.Unsafe<LinkAudience>({
  title: 'LinkAudience',
  type: 'string',
  enum: [...LINK_AUDIENCES],
  description:
    'Who can open it: anyone who has it, anyone who also knows its password, or the people it invites as guests.',
})

const State = Type.Unsafe<LinkState>({
  title: 'LinkState',
  type: 'string',
  enum: [...LINK_STATES],
  description:
    'Whether it opens, or why not. `refused`: the organization does not allow such links. `used_up`: it reached its view limit.',
})

/** Facts that a link's row does not have. */
interface LinkContext {
  readonly policy: LinkPolicy
  /** Whether the first link of the dashboard is turned on. */
  readonly isShared: boolean
}

const Moment = (description: string) =>
  Type.Union([Type.String({ maxLength: 100 }), Type.Null()], { description })

const MAX_ORIGINS = 50
const ORIGINS = 'The origins of the pages that may frame it, such as `https://example.com`.'

export const linkResource = defineResource('share_links', {
  id: { schema: Type.Integer() },
  label: {
    schema: Type.String(),
    write: Type.String({ maxLength: 200, description: 'What it is for. Visitors do not see it.' }),
    log: true,
  },
  access_token: {
    schema: Type.String({ description: 'The secret part of the link: `/shared/<access token>`.' }),
    column: 'token',
  },
  is_first: {
    schema: Type.Boolean({
      description: 'Whether it is the link of `.../sharing`, which turns it on and off.',
    }),
  },
  enabled: {
    schema: Type.Boolean({
      description: 'Only the first link can be off; others are revoked by deleting them.',
    }),
    read: (
      { is_first }: { readonly is_first: Flag },
      { isShared }: Pick<LinkContext, 'isShared'>,
    ) => is_first === 0 || isShared,
  },
  state: {
    schema: State,
    read: (row: LinkRules, { isShared, policy }: LinkContext) =>
      JSON.stringify(stateOf(row, isShared, policy)),
  },
  audience: { schema: Audience, write: Audience, default: 'anyone', log: true },
  starts_at: {
    schema: TimeOrNull,
    write: Moment('Until then the link is not found. Null: it works at once.'),
    log: true,
  },
  expires_at: {
    schema: TimeOrNull,
    write: Moment('From then on it responds with 410. Null: never.'),
    log: true,
  },
  ends_at: {
    schema: {
      ...TimeOrNull,
      description: 'When it ends: at `expires_at`, or earlier because of the organization.',
    },
    read: (row: LinkRules, { policy }: Pick<LinkContext, 'policy'>) =>
      JSON.stringify(endOf(row, policy)),
  },
  max_views: {
    schema: Type.Union([Type.Integer(), Type.Null()]),
    write: Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], {
      description:
        'How often it can be opened. A browser that returns within the hour counts once.',
    }),
    log: true,
  },
  shows_annotations: {
    schema: Type.Boolean(),
    write: Type.Boolean({ description: 'Whether charts show the annotations of the project.' }),
    default: true,
    log: true,
  },
  allows_exports: {
    schema: Type.Boolean(),
    write: Type.Boolean({ description: 'Whether visitors can download PNG, PDF and CSV.' }),
    default: true,
    log: true,
  },
  embed_origins: {
    schema: Type.Union([Type.Array(Type.String()), Type.Null()]),
    write: Type.Union(
      [Type.Array(Type.String({ maxLength: 300 }), { maxItems: MAX_ORIGINS }), Type.Null()],
      { description: `${ORIGINS} Null: any page. Empty: none.` },
    ),
    log: true,
  },
  viewer_filters: {
    schema: Type.Union([ViewerFilters, Type.Null()]),
    write: Type.Union([ViewerFiltersWrite, Type.Null()], {
      description:
        'What viewers can change in the address of the page, for themselves only. Their choices narrow the dates and filters of the dashboard. Null: nothing.',
    }),
    normalize: toViewerFilters,
    log: true,
  },
  snapshot_at: {
    schema: {
      ...TimeOrNull,
      description: 'The moment whose results it shows, which never change. Null: the current ones.',
    },
    write: Type.Union([Type.String({ maxLength: 100 }), Type.Null()], {
      description:
        '`now` freezes what the link shows, with its results. Null shows the current ones again.',
    }),
    log: true,
  },
  views: { schema: Type.Integer({ description: 'How often it was opened.' }) },
  last_viewed_at: { schema: TimeOrNull },
  created_by: userField('created_by'),
  created_at: { schema: Time },
})
