import { Type } from 'typebox'
import { requireName } from '#server/http/names.ts'
import { defineResource } from '#server/resource/resource.ts'

const toSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{Mark}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '') || 'organization'

export const organizationResource = defineResource('organizations', {
  id: { schema: Type.String({ format: 'uuid' }) },
  name: {
    schema: Type.String(),
    write: Type.String({ minLength: 1, maxLength: 100 }),
    normalize: (name: string) => requireName('name', name, 100),
  },
  slug: {
    schema: Type.String({ description: 'The name in lower-case letters, digits and hyphens.' }),
    read: ({ name }: { readonly name: string }) => JSON.stringify(toSlug(name)),
  },
  membership_level: {
    schema: Type.Integer({ description: '1 member, 8 admin, 15 owner.' }),
    read: (_: object, { level }: { readonly level: number }) => level,
  },
  allow_publicly_shared_resources: {
    schema: Type.Boolean({ description: 'Whether dashboards can have public links.' }),
    write: Type.Boolean({ description: 'False closes all public links at once.' }),
  },
  public_links_require_password: {
    schema: Type.Boolean({
      description: 'Whether only public links with a password or for people open.',
    }),
    write: Type.Boolean({ description: 'True closes public links that anyone can open at once.' }),
  },
  public_link_max_days: {
    schema: Type.Union([Type.Integer(), Type.Null()], {
      description: 'How many days after its creation a public link ends at the latest. null: any.',
    }),
    write: Type.Union([Type.Integer({ minimum: 1, maximum: 3650 }), Type.Null()], {
      description: 'Also ends public links that are older.',
    }),
  },
  enforce_2fa: {
    schema: Type.Boolean({ description: 'Whether sessions need a second factor.' }),
    read: (row: { readonly second_factor_required_at: string | null }) =>
      row.second_factor_required_at !== null,
  },
  second_factor_grace_days: {
    schema: Type.Integer({
      description: 'The grace period for members without a second factor.',
    }),
    write: Type.Integer({
      minimum: 0,
      maximum: 90,
      description: 'Counts from when the rule was made, or from when a member joined later.',
    }),
  },
})
