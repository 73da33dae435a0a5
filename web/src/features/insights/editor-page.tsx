import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { ApiError } from '../../api/client.ts'
import { useProjectId } from '../../api/project.ts'
import { Loading, ErrorAlert, QueryContent } from '../../ui/states.tsx'
import { fromAddress } from './editor/address/address.ts'
import { useAddress } from './editor/address/use-address.ts'
import { type Insight, insightQuery, useAnswer } from './editor/api.ts'
import { type Draft, toDraft } from './editor/draft.ts'
import { Editor } from './editor/editor.tsx'
import { NotEditable } from './editor/not-editable.tsx'
import type { QueryNode } from './editor/query-model.ts'

/** A new insight, or one that is there: seen and edited at the same place. */
export function InsightEditorPage() {
  const { shortId } = useParams({ strict: false })
  return shortId === undefined ? <NewInsight /> : <KnownInsight key={shortId} shortId={shortId} />
}

function NewInsight() {
  const { dashboard } = useSearch({ strict: false })
  return <Opened insight={undefined} dashboard={dashboard} />
}

function KnownInsight({ shortId }: { readonly shortId: string }) {
  const insight = useQuery(insightQuery(useProjectId(), shortId))
  return <QueryContent query={insight}>{(found) => <Opened insight={found} />}</QueryContent>
}

interface OpenedProps {
  readonly insight: Insight | undefined
  readonly dashboard?: number | undefined
}

function Opened({ insight, dashboard }: OpenedProps) {
  const { opened, ...address } = useAddress()
  const base = toDraft(insight, dashboard)
  const given = opened.q === undefined ? undefined : fromAddress(opened.q)
  const props = { insight, dashboard, address }
  if (given) return <Given key={opened.key} {...props} base={base} given={given} />
  if (!base) return insight ? <NotEditable insight={insight} /> : null
  return (
    <>
      {opened.q !== undefined && <Unreadable />}
      <Editor key={opened.key} {...props} base={base} />
    </>
  )
}

interface GivenProps extends Pick<Parameters<typeof Editor>[0], 'address'>, OpenedProps {
  readonly base: Draft | undefined
  readonly given: QueryNode
}

/** The server says whether what stands in the address can be asked: what it answers, the form can show. */
function Given({ base, given, ...props }: GivenProps) {
  const { data, error, refetch } = useAnswer(given)
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
  if (!base) return props.insight ? <NotEditable insight={props.insight} /> : null
  if (data) return <Editor {...props} base={base} given={given} />
  if (!error) return <Loading />
  if (!isRefused) return <ErrorAlert error={error} onRetry={() => void refetch()} />
  return (
    <>
      <Unreadable reason={error.message} />
      <Editor {...props} base={base} />
    </>
  )
}

const Unreadable = ({ reason = '' }: { readonly reason?: string }) => (
  <Alert color="yellow" mb="md" title="The query in this address cannot be asked" role="alert">
    {reason || 'The address is damaged, or of another version.'} This is what is shown without it.
  </Alert>
)
