import type { Dashboard } from '#server/features/dashboards/dashboards/schema.ts'
import { CommentsButton } from '../../comments/comments-button.tsx'
import { CommentsDrawer } from '../../comments/comments-drawer.tsx'
import type { ShownComments } from '../../comments/place.ts'
import { useDashboardContext } from '../context.ts'
import { tileTitle } from '../tile/state.ts'
import { useCommentsDrawer } from '../use-comments-drawer.ts'

interface CommentsProps {
  readonly dashboard: Dashboard
  readonly shown: ShownComments | undefined
}

/** The button for comments and their drawer. On a phone, the menu has the button. */
export function Comments({ dashboard: { id, tiles }, shown }: CommentsProps) {
  const { isPhone } = useDashboardContext()
  const { open, close } = useCommentsDrawer()
  return (
    <>
      {!isPhone && <CommentsButton dashboardId={id} onOpen={open} />}
      {shown && (
        <CommentsDrawer
          dashboardId={id}
          tiles={tiles}
          toTitle={tileTitle}
          shown={shown}
          onClose={close}
        />
      )}
    </>
  )
}
