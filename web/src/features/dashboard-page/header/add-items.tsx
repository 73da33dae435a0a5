import { Menu } from '@mantine/core'
import { IconChartLine, IconFold, IconSearch, IconTextSize } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useProjectId } from '../../../api/project.ts'
import { useDashboardContext } from '../context.ts'
import { placeBelowTiles } from '../grid/layout.ts'
import { NEW_SECTION, NEW_TEXT } from '../tile/state.ts'

/** The items of the menu that adds a tile. */
export function AddItems({ onPick }: { readonly onPick: () => void }) {
  const projectId = `${useProjectId()}`
  const { dashboardId, editor } = useDashboardContext()
  const below = (size?: { w: number; h: number }) => placeBelowTiles(editor.shown().tiles, size)
  return (
    <>
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
      <Menu.Item leftSection={<IconSearch size={16} />} onClick={onPick}>
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
      <Menu.Item
        leftSection={<IconFold size={16} />}
        onClick={() =>
          editor.edit('Added a section', {
            tiles: [{ layouts: below(), section: 'open', text: { body: NEW_SECTION } }],
          })
        }
      >
        Section
      </Menu.Item>
    </>
  )
}
