import { Button } from '@mantine/core'
import { IconPlugConnected, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { PipelineConfig } from '#server/features/import-apps/configs/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { Sortable } from '../../../ui/list/sortable.tsx'
import { CopyCurl } from '../../../ui/page/copy-curl.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { useConfigs, useRearrange } from '../api.ts'
import classes from '../apps.module.css'
import { configsPath } from '../keys.ts'
import { ConfigListRow } from './config-row.tsx'
import { Trash } from './trash.tsx'

export function AppListPage() {
  const projectId = useProjectId()
  const configs = useConfigs()
  return (
    <Page
      title="Import apps"
      about="Import events from other systems, on a schedule or on demand."
      actions={
        configs.data &&
        configs.data.length > 0 && (
          <>
            <CopyCurl path={configsPath(projectId)} />
            <AddLink />
          </>
        )
      }
    >
      <QueryContent query={configs}>
        {(list) => (list.length > 0 ? <Configs configs={list} /> : <NoConfigs />)}
      </QueryContent>
      <Trash />
    </Page>
  )
}

function AddLink() {
  const projectId = `${useProjectId()}`
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => (
        <Link {...props} to="/project/$projectId/apps/gallery" params={{ projectId }} />
      )}
    >
      Add import app
    </Button>
  )
}

const NoConfigs = () => (
  <EmptyState icon={IconPlugConnected} title="No import apps yet" action={<AddLink />}>
    Import events from a file, a database or an API, or generate demo data.
  </EmptyState>
)

function Configs({ configs }: { readonly configs: readonly PipelineConfig[] }) {
  const rearrange = useRearrange()
  const ids = configs.map(({ id }) => id)
  return (
    <Sortable
      items={configs}
      onMove={(from, to) =>
        rearrange.mutate(ids.toSpliced(from, 1).toSpliced(to, 0, ids[from] as number))
      }
    >
      <ul className={classes.list} aria-label="Import apps">
        {configs.map((config) => (
          <ConfigListRow key={config.id} config={config} />
        ))}
      </ul>
    </Sortable>
  )
}
