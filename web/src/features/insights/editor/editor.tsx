import { Alert, Box, Stack, Tabs } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useRef, useState } from 'react'
import { CAN_EDIT } from '#model/levels.ts'
import { ApiError } from '../../../api/client.ts'
import { Card } from '../../../ui/card.tsx'
import { ErrorAlert } from '../../../ui/states.tsx'
import { ActivityTab } from './activity-tab.tsx'
import { toAddress } from './address/address.ts'
import { type Address, useKeptInAddress } from './address/use-address.ts'
import type { Insight } from './api.ts'
import { DataTab } from './data-tab.tsx'
import { DetailsTab } from './details-tab.tsx'
import { Preview } from './display/preview.tsx'
import { Toolbar } from './display/toolbar.tsx'
import { usePreview } from './display/use-preview.ts'
import { type Draft, describeQuery, draftChanges, isSameJson } from './draft.ts'
import classes from './editor.module.css'
import { KindTabs } from './forms/kind-tabs.tsx'
import { QueryForm } from './forms/query-form.tsx'
import { Header } from './header.tsx'
import { MoreMenu } from './more-menu.tsx'
import { QueryProblem } from './problems.tsx'
import { type Kind, type QueryNode, toKind } from './query-model.ts'
import { SqlForm } from './sql/sql-form.tsx'
import { useInsightActions } from './use-actions.ts'

interface EditorProps {
  readonly insight: Insight | undefined
  readonly base: Draft
  /** What is asked instead of what is saved, by whoever made the address. */
  readonly given?: QueryNode
  readonly address: Address
  /** Where a new insight goes, and where its maker goes back to. */
  readonly dashboard?: number | undefined
}

/** What is saved, what is different now, and what that would show. */
export function Editor({ insight, base, given, address, dashboard }: EditorProps) {
  const [edits, setEdits] = useState<Partial<Draft>>(given ? { query: given } : {})
  const changes = draftChanges(base, edits)
  const isChanged = Object.keys(changes).length > 0
  const draft = { ...base, ...edits }
  const node = draft.query
  const edit = (more: Partial<Draft>) => setEdits((now) => ({ ...now, ...more }))
  const setNode = (query: QueryNode) => edit({ query })
  const left = useRef(new Map<Kind, QueryNode>())
  const setKind = (kind: Kind) => {
    left.current.set(node.source.kind, node)
    setNode(left.current.get(kind) ?? toKind(node, kind))
  }

  const preview = usePreview(node)
  const answered = changes.query && preview.shown?.node
  useKeptInAddress(address, answered && isSameJson(answered, base.query) ? undefined : answered)
  const title = draft.name || describeQuery(node)
  const canEdit = !insight || insight.effective_privilege_level === CAN_EDIT
  const actions = useInsightActions({
    insight,
    draft,
    changes,
    dashboard,
    isKept: isSameJson(Object.keys(changes), ['query']) && address.now === toAddress(node),
    forget: () => setEdits({}),
  })
  const refused = actions.problem
  const problemAt = (field: string) =>
    refused instanceof ApiError && refused.attr?.split('__')[0] === field
      ? refused.message
      : undefined
  const isSql = node.source.kind === 'HogQLQuery'
  const isShown = ['name', 'description', 'tags', 'dashboards'].some(problemAt)
  useDocumentTitle(`${title} · Hedgerow`)

  return (
    <QueryProblem value={preview.error ?? refused}>
      <Stack>
        <Header
          insight={insight}
          name={draft.name}
          fallback={describeQuery(node)}
          nameProblem={problemAt('name')}
          isChanged={isChanged}
          cannotSave={canEdit ? preview.missing : 'You can look at it, but not change it.'}
          isSaving={actions.isSaving}
          onName={(name) => edit({ name })}
          onFavourite={actions.favourite}
          onDiscard={() => setEdits({})}
          onSave={actions.save}
          menu={
            <MoreMenu
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
            It is shown on no dashboard. Take it out of the trash to use it again.
          </Alert>
        )}
        {refused && !isShown && <ErrorAlert error={refused} />}
        <KindTabs kind={node.source.kind} onChange={setKind} />
        <Box className={isSql ? classes.rows : classes.layout}>
          <Card>
            <Stack gap="sm">
              <Toolbar node={node} onChange={setNode} />
              <Preview title={title} preview={preview} />
            </Stack>
          </Card>
          <Box className={classes.form}>
            <Card>
              {node.source.kind === 'HogQLQuery' ? (
                <SqlForm
                  source={node.source}
                  isRunning={preview.isWaiting}
                  onChange={(source) => setNode({ ...node, source })}
                  onRun={preview.run}
                />
              ) : (
                <QueryForm
                  key={node.source.kind}
                  source={node.source}
                  onChange={(source) => setNode({ ...node, source })}
                />
              )}
            </Card>
          </Box>
          <Card>
            <Tabs defaultValue="details" keepMounted={false}>
              <Tabs.List mb="md">
                <Tabs.Tab value="details">Details</Tabs.Tab>
                <Tabs.Tab value="data">Show data</Tabs.Tab>
                {insight && <Tabs.Tab value="activity">Activity</Tabs.Tab>}
              </Tabs.List>
              <Tabs.Panel value="details">
                <DetailsTab draft={draft} edit={edit} problemAt={problemAt} />
              </Tabs.Panel>
              <Tabs.Panel value="data">
                <DataTab shown={preview.shown} />
              </Tabs.Panel>
              {insight && (
                <Tabs.Panel value="activity">
                  <ActivityTab shortId={insight.short_id} />
                </Tabs.Panel>
              )}
            </Tabs>
          </Card>
        </Box>
      </Stack>
    </QueryProblem>
  )
}
