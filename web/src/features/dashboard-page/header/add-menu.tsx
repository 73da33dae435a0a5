import { Button, Menu } from '@mantine/core'
import { IconChartLine, IconPlus, IconSearch, IconTextSize } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useProjectId } from '../../../api/project.ts'
import { lazyComponent } from '../../../ui/page/lazy-component.tsx'
import { useInsightSearch } from '../api.ts'
import { useDashboardContext } from '../context.ts'
import { placeBelowTiles } from '../grid/layout.ts'
import { loadDialogs } from '../load-dialogs.ts'
import { NEW_TEXT } from '../tile/state.ts'

const PickDialog = lazyComponent(async () => (await loadDialogs()).PickDialog)

/** Adds an insight or a text to the dashboard. */
export function AddMenu({ label = 'Add tile' }: { readonly label?: string }) {
  const projectId = `${useProjectId()}`
  const { dashboardId, editor } = useDashboardContext()
  const [isPicking, setPicking] = useState(false)
  const below = (size?: { w: number; h: number }) => placeBelowTiles(editor.shown().tiles, size)
  return (
    <>
      <Menu width={220}>
        <Menu.Target>
          <Button size="xs" leftSection={<IconPlus size={16} />}>
            {label}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconChartLine size={16} />}
            renderRoot={(props) => (
              <Link
                to="/project/$projectId/insights/new"
                params={{ projectId }}
                search={{ dashboard: dashboardId }}
                {...props}
              />
            )}
          >
            New insight
          </Menu.Item>
          <Menu.Item leftSection={<IconSearch size={16} />} onClick={() => setPicking(true)}>
            Existing insight…
          </Menu.Item>
          <Menu.Item
            leftSection={<IconTextSize size={16} />}
            onClick={() =>
              editor.edit('Added a text', {
                tiles: [{ layouts: below({ w: 6, h: 3 }), text: { body: NEW_TEXT } }],
              })
            }
          >
            Text
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {isPicking && (
        <PickDialog
          title="Add insight"
          things="insights"
          useFound={useInsightSearch}
          onPick={({ id, name }) =>
            editor.edit(`Added ${name || 'an insight'}`, {
              tiles: [{ layouts: below(), insight: { id } }],
            })
          }
          onClose={() => setPicking(false)}
        />
      )}
    </>
  )
}
