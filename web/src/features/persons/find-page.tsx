import { IconUserOff } from '@tabler/icons-react'
import { getRouteApi, Navigate } from '@tanstack/react-router'
import { Page } from '../../ui/page/page.tsx'
import { EmptyState, QueryContent } from '../../ui/page/states.tsx'
import { usePersonOf } from '../events/person-of.ts'

const route = getRouteApi('/project/$projectId/person')

/** Redirects from a distinct ID, which events link to, to its person. */
export function FindPersonPage() {
  const { projectId } = route.useParams()
  const { distinct_id: distinctId = '' } = route.useSearch()
  const found = usePersonOf(distinctId)
  return (
    <QueryContent query={found}>
      {(person) => {
        if (!person) return <NoPerson distinctId={distinctId} />
        const params = { projectId, personId: person.uuid }
        return <Navigate to="/project/$projectId/persons/$personId" params={params} replace />
      }}
    </QueryContent>
  )
}

const NoPerson = ({ distinctId }: { readonly distinctId: string }) => (
  <Page title="Person">
    <EmptyState icon={IconUserOff} title="No person with this ID">
      “{distinctId}” has no person. Its events were sent without a profile, or the person was
      deleted.
    </EmptyState>
  </Page>
)
