import { useMutation } from '@tanstack/react-query'
import type { Organization, OrganizationPatch } from '#server/features/accounts/projects/schema.ts'
import type { OrganizationLink } from '#server/features/dashboards/links/schema.ts'
import { api } from '../../../api/client.ts'
import { usePages } from '../../../ui/list/use-pages.ts'

const HERE = '/api/organizations/@current'
const LINKS = `${HERE}/public_links`
const KEY = 'organization-links'

export const useOrganizationLinks = (search: string) =>
  usePages<OrganizationLink>([KEY, search], LINKS, { search: search || undefined })

export const useSaveLinkRules = () =>
  useMutation({
    mutationFn: (rules: OrganizationPatch) => api.patch<Organization>(HERE, rules),
    meta: { showsError: true, stale: [['me'], [KEY]] },
  })

export const useRevokeLinks = () =>
  useMutation({
    mutationFn: (ids: readonly number[]) => api.post<unknown>(`${LINKS}/revoke`, { ids }),
    meta: { stale: [[KEY], ['dashboard'], ['dashboards'], ['insight']] },
  })
