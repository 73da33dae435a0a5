import { Tabs } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { toSamples } from '#model/connect-samples.ts'
import { useProject } from '../../api/project.ts'
import { Card } from '../../ui/page/card.tsx'
import { Page } from '../../ui/page/page.tsx'
import classes from './connect.module.css'
import { CsvPanel } from './csv-panel.tsx'
import { FirstEvent } from './first-event.tsx'
import { ImportAppsPanel } from './import-apps-panel.tsx'
import { SamplePanel } from './sample-panel.tsx'

const route = getRouteApi('/project/$projectId/connect')

const NEAREST = { block: 'nearest', inline: 'nearest' } as const

interface Panel {
  readonly id: string
  readonly name: string
  readonly content: ReactNode
}

/** Shows how to send the first event, and waits for it. A project without events opens here. */
export function ConnectPage() {
  const { projectId } = route.useParams()
  return (
    <Page title="Connect your data" about="Send events from a site or program, or import them.">
      {/* starts over in another project */}
      <FirstEvent key={projectId}>
        <WaysToConnect />
      </FirstEvent>
    </Page>
  )
}

function WaysToConnect() {
  const { projectId } = route.useParams()
  const { tab } = route.useSearch()
  const navigate = route.useNavigate()
  const panels = toPanels(useProject()?.api_token ?? '')
  const shown = panels.find(({ id }) => id === tab) ?? panels[0]
  const show = (next: string | null) =>
    void navigate({
      to: '/project/$projectId/connect',
      params: { projectId },
      search: { tab: next ?? undefined },
      replace: true,
    })
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // on a phone, the tab of a link may be out of sight
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView(NEAREST)
  }, [])
  return (
    <Card>
      <Tabs value={shown?.id ?? null} onChange={show} keepMounted={false}>
        <Tabs.List ref={list} className={classes.tabs} mb="md" aria-label="Ways to connect">
          {panels.map(({ id, name }) => (
            <Tabs.Tab key={id} value={id}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {panels.map(({ id, content }) => (
          <Tabs.Panel key={id} value={id}>
            {content}
          </Tabs.Panel>
        ))}
      </Tabs>
    </Card>
  )
}

const toPanels = (token: string): readonly Panel[] => [
  ...toSamples(location.origin, token).map((sample) => ({
    id: sample.id,
    name: sample.name,
    content: <SamplePanel sample={sample} />,
  })),
  { id: 'csv', name: 'CSV file', content: <CsvPanel /> },
  { id: 'apps', name: 'Import apps', content: <ImportAppsPanel /> },
]
