import { useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { useProjectId } from '../../api/project.ts'
import { Shown } from '../../ui/states.tsx'
import { type Insight, insightQuery } from './editor/api.ts'
import { toDraft } from './editor/draft.ts'
import { Editor } from './editor/editor.tsx'
import { NotEditable } from './editor/not-editable.tsx'

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
  return <Shown of={insight}>{(found) => <Opened insight={found} />}</Shown>
}

interface OpenedProps {
  readonly insight: Insight | undefined
  readonly dashboard?: number | undefined
}

function Opened({ insight, dashboard }: OpenedProps) {
  const base = toDraft(insight, dashboard)
  if (base) return <Editor insight={insight} base={base} dashboard={dashboard} />
  return insight ? <NotEditable insight={insight} /> : null
}
