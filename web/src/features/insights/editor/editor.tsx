import { Alert, Box, Stack } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { CAN_EDIT } from '#model/levels.ts'
import {
  kindOf,
  type QueryKindName,
  type QueryNode,
  writtenText,
} from '#model/query-kinds/index.ts'
import { ApiError } from '../../../api/client.ts'
import { Card } from '../../../ui/page/card.tsx'
import { ErrorAlert } from '../../../ui/page/states.tsx'
import { ChartColumns } from '../kinds/sql/chart-columns.tsx'
import { useIsBeside } from '../kinds/sql/result-place.tsx'
import { toAddressText } from './address/address.ts'
import { type Address, useKeptInAddress } from './address/use-address.ts'
import type { Insight } from './api.ts'
import { Preview } from './display/preview.tsx'
import { Toolbar } from './display/toolbar.tsx'
import { usePreview } from './display/use-preview.ts'
import { describeQuery, draftChanges, type InsightDraft, isSameJson } from './draft.ts'
import classes from './editor.module.css'
import { QueryErrorContext } from './errors.tsx'
import { KindTabs } from './forms/kind-tabs.tsx'
import { QueryForm } from './forms/query-form.tsx'
import { Header } from './header.tsx'
import { InsightMenu } from './more-menu.tsx'
import { toKind } from './query-model.ts'
import { DisplaySection } from './settings/display-section.tsx'
import { EditorTabs } from './tabs.tsx'
import { useInsightActions } from './use-actions.ts'

interface EditorProps {
  readonly insight: Insight | undefined
  readonly base: InsightDraft
  /** Query from the link, instead of the saved one. */
  readonly given?: QueryNode
  readonly address: Address
  /** Dashboard that a new insight is added to; saving returns there. */
  readonly dashboard?: number | undefined
}

/** Edits an insight: the saved state, the edits, and a preview of both. */
export function InsightEditor({ insight, base, given, address, dashboard }: EditorProps) {
  const [edits, setEdits] = useState<Partial<InsightDraft>>(given ? { query: given } : {})
  const changes = draftChanges(base, edits)
  const isChanged = Object.keys(changes).length > 0
  const draft = { ...base, ...edits }
  const node = draft.query
  const edit = (more: Partial<InsightDraft>) => setEdits((now) => ({ ...now, ...more }))
  const setNode = (query: QueryNode) => edit({ query })
  const otherKinds = useRef(new Map<QueryKindName, QueryNode>())
  const setKind = (kind: QueryKindName) => {
    otherKinds.current.set(node.source.kind, node)
    setNode(otherKinds.current.get(kind) ?? toKind(node, kind))
  }

  const preview = usePreview(node)
  const shownQuery = changes.query && preview.shown?.node
  useKeptInAddress(
    address,
    shownQuery && isSameJson(shownQuery, base.query) ? undefined : shownQuery,
  )
  const title = draft.name || describeQuery(node)
  const canEdit = !insight || insight.effective_privilege_level === CAN_EDIT
  const actions = useInsightActions({
    insight,
    draft,
    changes,
    dashboard,
    isInAddress: isSameJson(Object.keys(changes), ['query']) && address.now === toAddressText(node),
    clearEdits: () => setEdits({}),
  })
  const saveError = actions.problem
  const errorAt = (field: string) =>
    saveError instanceof ApiError && saveError.attr?.split('__')[0] === field
      ? saveError.message
      : undefined
  const isBeside = useIsBeside()
  const isText = writtenText(node.source) !== undefined
  const isAtField = ['name', 'description', 'tags', 'dashboards'].some(errorAt)
  useDocumentTitle(`${title} · Hedgerow`)

  return (
    <QueryErrorContext value={preview.error ?? saveError}>
      <Stack>
        <Header
          insight={insight}
          name={draft.name}
          fallback={describeQuery(node)}
          nameError={errorAt('name')}
          isChanged={isChanged}
          cannotSave={canEdit ? preview.incomplete : 'You can view this insight, but not edit it.'}
          isSaving={actions.isSaving}
          onName={(name) => edit({ name })}
          onFavorite={actions.favorite}
          onDiscard={() => setEdits({})}
          onSave={actions.save}
          menu={
            <InsightMenu
              insight={insight}
              node={node}
              canEdit={canEdit}
              onSaveAsNew={actions.saveAsNew}
              onDuplicate={actions.duplicate}
              onTrash={actions.trash}
            />
          }
        />
        {insight?.deleted && (
          <Alert color="yellow" title="In the trash">
            Hidden from dashboards. Restore it to use it again.
          </Alert>
        )}
        {saveError && !isAtField && <ErrorAlert error={saveError} />}
        <KindTabs kind={node.source.kind} onChange={setKind} />
        <Box className={isText ? toRows(isBeside) : classes.layout}>
          <Card>
            <Stack gap="sm">
              <Toolbar node={node} onChange={setNode} />
              {preview.shown && kindOf(node)?.hasColumns && (
                <ChartColumns node={node} result={preview.shown.result} onChange={setNode} />
              )}
              <Preview title={title} insightId={insight?.id ?? null} preview={preview} />
            </Stack>
          </Card>
          <Box className={classes.form}>
            <Card>
              <QueryForm
                key={node.source.kind}
                source={node.source}
                isRunning={preview.isWaiting}
                onChange={(source) => setNode({ ...node, source })}
                onRun={preview.run}
              />
            </Card>
            <DisplaySection node={node} shown={preview.shown?.result} onChange={setNode} />
          </Box>
          <Card>
            <EditorTabs
              insight={insight}
              draft={draft}
              edit={edit}
              errorAt={errorAt}
              shown={preview.shown}
            />
          </Card>
        </Box>
      </Stack>
    </QueryErrorContext>
  )
}

/** The result of a written query, beside it or below. */
const toRows = (isBeside: boolean): string =>
  isBeside ? `${classes.rows} ${classes.beside}` : (classes.rows ?? '')
