import { Alert, Stack } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { isAdmin, useMe } from '../../../api/session.ts'
import { useUnsavedGuard } from '../../../ui/form/unsaved-guard.ts'
import { Page } from '../../../ui/page/page.tsx'
import { useFetchResponse, useSaveDraft, useTestDraft } from './api.ts'
import { readContent, withGuesses } from './content.ts'
import { type Draft, EMPTY } from './draft.ts'
import { EventCard } from './event-card.tsx'
import { FieldsCard } from './fields-card.tsx'
import { FinishCard } from './finish-card.tsx'
import { NarrowCard } from './narrow-card.tsx'
import { PagesCard } from './pages-card.tsx'
import { RequestCard } from './request-card.tsx'
import { ResponseCard } from './response-card.tsx'

const route = getRouteApi('/project/$projectId/apps/connector')

const ABOUT =
  'Enter the address of a JSON API, click what its values mean, and save it as an import app. No code needed.'

/** Builds an app for a JSON API from one of its responses. */
export function ConnectorBuilderPage() {
  if (!isAdmin(useMe())) {
    return (
      <Page title="Connect an API">
        <Alert color="gray" icon={<IconLock size={18} />}>
          Only admins can install apps.
        </Alert>
      </Page>
    )
  }
  return <Builder />
}

function Builder() {
  const [draft, setDraft] = useState(EMPTY)
  const response = useFetchResponse()
  const test = useTestDraft()
  const save = useSaveDraft()
  const isSaved = useRef(false)
  const { projectId } = route.useParams()
  const navigate = route.useNavigate()
  useUnsavedGuard(draft !== EMPTY, async () => isSaved.current)
  const change = (fields: Partial<Draft>) => {
    setDraft({ ...draft, ...fields })
    test.reset() // its events are of what the draft was
  }
  const getResponse = () =>
    response.mutate(draft, {
      onSuccess: (received) => setDraft(withGuesses(draft, received)),
    })
  const saveApp = () =>
    save.mutate(draft, {
      onSuccess: ({ id }) => {
        isSaved.current = true
        void navigate({
          to: '/project/$projectId/apps/$configId',
          params: { projectId, configId: `${id}` },
        })
      },
    })
  const content = response.data && readContent(response.data)
  return (
    <Page title="Connect an API" about={ABOUT}>
      <Stack gap="md">
        <RequestCard draft={draft} request={response} onChange={change} onSend={getResponse} />
        {response.data && (
          <ResponseCard
            response={response.data}
            content={content}
            draft={draft}
            onChange={change}
          />
        )}
        {content !== undefined && (
          <>
            <EventCard draft={draft} onChange={change} />
            <FieldsCard content={content} draft={draft} onChange={change} />
            <PagesCard draft={draft} onChange={change} />
            <NarrowCard draft={draft} onChange={change} />
            <FinishCard draft={draft} test={test} save={save} onChange={change} onSave={saveApp} />
          </>
        )}
      </Stack>
    </Page>
  )
}
