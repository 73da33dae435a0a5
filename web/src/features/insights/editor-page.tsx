import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import type { QueryNode } from '#model/query-kinds/index.ts'
import { ApiError } from '../../api/client.ts'
import { useIsViewer, useProjectId } from '../../api/project.ts'
import { lazyComponent } from '../../ui/page/lazy-component.tsx'
import { ErrorAlert, Loading, QueryContent } from '../../ui/page/states.tsx'
import { fromAddress } from './editor/address/address.ts'
import { useAddress } from './editor/address/use-address.ts'
import { type Insight, insightQuery, useQueryResult } from './editor/api.ts'
import { type InsightDraft, toInsightDraft } from './editor/draft.ts'
import { InsightEditor } from './editor/editor.tsx'
import { NotEditable } from './editor/not-editable.tsx'

const ViewedInsight = lazyComponent(
  async () => (await import('./viewed-insight.tsx')).ViewedInsight,
)

/** Shows and edits a new or a saved insight. Viewers only see it. */
export function InsightEditorPage() {
  const { shortId } = useParams({ strict: false })
  const isViewer = useIsViewer()
  if (shortId === undefined) return <NewInsight />
  return isViewer ? (
    <ViewedInsight key={shortId} shortId={shortId} />
  ) : (
    <SavedInsight key={shortId} shortId={shortId} />
  )
}

function NewInsight() {
  const { dashboard } = useSearch({ strict: false })
  return <OpenedInsight insight={undefined} dashboard={dashboard} />
}

function SavedInsight({ shortId }: { readonly shortId: string }) {
  const insight = useQuery(insightQuery(useProjectId(), shortId))
  return <QueryContent query={insight}>{(found) => <OpenedInsight insight={found} />}</QueryContent>
}

interface OpenedInsightProps {
  readonly insight: Insight | undefined
  readonly dashboard?: number | undefined
}

function OpenedInsight({ insight, dashboard }: OpenedInsightProps) {
  const { opened, ...address } = useAddress()
  const base = toInsightDraft(insight, dashboard)
  const given = opened.q === undefined ? undefined : fromAddress(opened.q)
  const props = { insight, dashboard, address }
  if (given) return <LinkedQuery key={opened.key} {...props} base={base} given={given} />
  if (!base) return insight ? <NotEditable insight={insight} /> : null
  return (
    <>
      {opened.q !== undefined && <InvalidQuery />}
      <InsightEditor key={opened.key} {...props} base={base} />
    </>
  )
}

interface LinkedQueryProps
  extends Pick<Parameters<typeof InsightEditor>[0], 'address'>,
    OpenedInsightProps {
  readonly base: InsightDraft | undefined
  readonly given: QueryNode
}

/** Lets the server validate the query of the link first: the form can show any query that has a result. */
function LinkedQuery({ base, given, ...props }: LinkedQueryProps) {
  const { data, error, refetch } = useQueryResult(given)
  const isRefused = error instanceof ApiError && error.status >= 400 && error.status < 500
  if (!base) return props.insight ? <NotEditable insight={props.insight} /> : null
  if (data) return <InsightEditor {...props} base={base} given={given} />
  if (!error) return <Loading />
  if (!isRefused) return <ErrorAlert error={error} onRetry={() => void refetch()} />
  return (
    <>
      <InvalidQuery reason={error.message} />
      <InsightEditor {...props} base={base} />
    </>
  )
}

const InvalidQuery = ({ reason = '' }: { readonly reason?: string }) => (
  <Alert color="yellow" mb="md" title="The query in this link is invalid" role="alert">
    {reason || 'The link is damaged or outdated.'} Showing the insight without it.
  </Alert>
)
