import { Badge, Button, Group, Menu, Text, Title } from '@mantine/core'
import { IconDownload, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { pluralize } from '#model/pluralize.ts'
import type { DashboardTemplate } from '#server/features/dashboards/templates/schema.ts'
import { isAdmin, useMe } from '../../../api/session.ts'
import { RowMenu } from '../../../ui/list/row-menu.tsx'
import { showUndo } from '../../../ui/list/undo.tsx'
import { saveFile } from '../../../ui/page/save-file.ts'
import { useUpdateTemplate } from './api.ts'
import { TemplateSketch } from './sketch.tsx'
import classes from './templates.module.css'

interface TemplateCardProps {
  readonly template: DashboardTemplate
  readonly onUse: (template: DashboardTemplate) => void
}

export function TemplateCard({ template, onUse }: TemplateCardProps) {
  const { template_name: name, tiles, tags, scope } = template
  return (
    <li className={classes.card}>
      <div className={classes.picture}>
        <Suspense fallback={<TemplateSketch template={template} />}>
          <TemplatePreview template={template} />
        </Suspense>
      </div>
      <div className={classes.body}>
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <RowMenu label={`Actions for ${name}`}>{() => <Actions template={template} />}</RowMenu>
        </Group>
        <Text size="sm" c="dimmed" lineClamp={3}>
          {template.dashboard_description || toSummary(tiles)}
        </Text>
        <Group gap={4}>
          {scope === 'team' && (
            <Badge size="sm" color="gray">
              This project
            </Badge>
          )}
          {tags.map((tag) => (
            <Badge key={tag} size="sm">
              {tag}
            </Badge>
          ))}
          <Text size="xs" c="dimmed" ml="auto">
            {pluralize(tiles.length - countTitles(tiles), 'tile')}
          </Text>
        </Group>
        <Button
          variant="light"
          mt="auto"
          aria-label={`Use ${name}`}
          onClick={() => onUse(template)}
        >
          Use
        </Button>
      </div>
    </li>
  )
}

const TemplatePreview = lazy(() => import('./preview/preview.tsx'))

const NAMED = 3

const countTitles = (tiles: DashboardTemplate['tiles']): number =>
  tiles.filter((tile) => 'section' in tile && tile.section).length

/** Lists tile names, for a template without a description. */
function toSummary(tiles: DashboardTemplate['tiles']): string {
  const names = tiles.flatMap((tile) =>
    'name' in tile && typeof tile.name === 'string' && tile.name !== '' ? [tile.name] : [],
  )
  const others = names.length - NAMED
  return names.slice(0, NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '')
}

function Actions({ template }: { readonly template: DashboardTemplate }) {
  const { mutateAsync } = useUpdateTemplate()
  const me = useMe()
  const { id, template_name: name } = template
  const move = (deleted: boolean) => mutateAsync({ id, change: { deleted } })
  const remove = async () => {
    await move(true)
    showUndo(`Deleted template “${name}”`, () => void move(false).catch(ignore))
  }
  return (
    <>
      <Menu.Item leftSection={<IconDownload size={16} />} onClick={() => download(template)}>
        Download as JSON
      </Menu.Item>
      {template.scope === 'team' && isAdmin(me) && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} />}
          onClick={() => void remove().catch(ignore)}
        >
          Delete
        </Menu.Item>
      )}
    </>
  )
}

/** Downloads what "From JSON" accepts, without ids and timestamps. */
function download({ template_name, dashboard_description, ...template }: DashboardTemplate): void {
  const { dashboard_filters, tags, tiles, variables } = template
  const kept = { template_name, dashboard_description, dashboard_filters, tags, tiles }
  const text = JSON.stringify({ ...kept, ...(variables && { variables }) }, null, 2)
  saveFile(`${template_name.replace(/[^\p{L}\p{N} _-]/gu, '')}.json`, text)
}

/** The mutation cache has shown the error. */
const ignore = () => undefined
