import { Box, Group, Menu, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconLayoutDashboard, IconSearchOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type {
  DashboardTemplate,
  TemplateCreate,
} from '#server/features/dashboards/templates/schema.ts'
import { useProjectId } from '../../../api/project.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { SearchBox } from '../../../ui/list/search-box.tsx'
import { Page } from '../../../ui/page/page.tsx'
import { EmptyState, QueryContent } from '../../../ui/page/states.tsx'
import { JsonDialog } from '../json-dialog.tsx'
import { NewMenu } from '../new-menu.tsx'
import { useCreateTemplate, useTemplates } from './api.ts'
import { TemplateCard } from './card.tsx'
import { CreateTemplateDialog } from './create-dialog.tsx'
import classes from './templates.module.css'
import { UseTemplateDialog } from './use-dialog.tsx'

export function TemplatesPage() {
  const projectId = `${useProjectId()}`
  const { search } = useSearch({ from: '/project/$projectId/templates' })
  const navigate = useNavigate()
  const templates = useTemplates(search)
  const [used, setUsed] = useState<DashboardTemplate>()
  return (
    <Page
      title="Templates"
      about="Ready-made dashboards that you can edit later."
      actions={<NewTemplate />}
    >
      <Box maw={400} mb="md">
        <SearchBox
          label="Search templates"
          value={search}
          onSearch={(text) =>
            void navigate({
              to: '/project/$projectId/templates',
              params: { projectId },
              search: { search: text },
              replace: true,
            })
          }
        />
      </Box>
      <QueryContent query={templates} loading={<TemplatesSkeleton />}>
        {({ results }) =>
          results.length === 0 ? (
            <EmptyState icon={IconSearchOff} title="No templates found">
              Try another search.
            </EmptyState>
          ) : (
            <ul className={classes.grid} aria-label="Templates">
              {results.map((template) => (
                <TemplateCard key={template.id} template={template} onUse={setUsed} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      {used && <UseTemplateDialog template={used} onClose={() => setUsed(undefined)} />}
    </Page>
  )
}

function TemplatesSkeleton() {
  return (
    <div className={classes.grid} role="status" aria-label="Loading">
      {['a', 'b', 'c'].map((key) => (
        <Skeleton key={key} height={320} radius="lg" />
      ))}
    </div>
  )
}

/** For admins and owners only, because everyone in the project sees templates. */
function NewTemplate() {
  const me = useMe()
  const create = useCreateTemplate()
  const [isFromOpen, from] = useDisclosure()
  const [isJsonOpen, json] = useDisclosure()
  if (!isAdmin(me)) return null
  return (
    <Group>
      <NewMenu label="New template" variant="default" onJson={json.open}>
        <Menu.Item leftSection={<IconLayoutDashboard size={16} />} onClick={from.open}>
          From dashboard
        </Menu.Item>
      </NewMenu>
      {isFromOpen && <CreateTemplateDialog onClose={from.close} />}
      {isJsonOpen && (
        <JsonDialog
          title="New template from JSON"
          yes="Create template"
          create={{
            ...create,
            mutate: (sent, options) => create.mutate(sent as TemplateCreate, options),
          }}
          onMade={json.close}
          onClose={json.close}
        />
      )}
    </Group>
  )
}
