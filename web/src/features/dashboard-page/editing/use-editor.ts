import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { ApiError, api } from '../../../api/client.ts'
import { useProjectId } from '../../../api/project.ts'
import { useMe } from '../../../api/session.ts'
import { notify } from '../../../ui/dialog/notify.ts'
import { type DashboardState, dashboardQuery, isConflict, mergeSaved, sendChange } from '../api.ts'
import { hasFilters, type Override } from '../filters/override.ts'
import { createEditor, type DashboardEditor, type EditorState } from './editor.ts'

const RECONNECT_MS = 2000

/** Keyboard moves come several times a second. */
const MOVE_DELAY_MS = 600

/** Sharing and invitations do not change what a dashboard shows. */
const EDIT_ACTIVITIES = ['updated', 'deleted', 'restored']

/** Creates the editor of one dashboard and keeps it while the page is open. */
export function useEditor(now: DashboardState, override: Override): [DashboardEditor, EditorState] {
  const client = useQueryClient()
  const projectId = useProjectId()
  const { queryKey } = dashboardQuery(projectId, now.dashboard.id, override)
  const current = useRef({ now, queryKey, override })
  current.current = { now, queryKey, override }

  const [editor] = useState(() => {
    const known = (): DashboardState =>
      client.getQueryData(current.current.queryKey) ?? current.current.now
    return createEditor({
      moveDelayMs: MOVE_DELAY_MS,
      known,
      isConflict,
      async send(change, seen) {
        const saved = await sendChange(projectId, known(), change, seen)
        const { queryKey: key, override: over } = current.current
        // a response from before the edit must not overwrite it
        await client.cancelQueries({ queryKey: key })
        client.setQueryData(key, mergeSaved(known(), saved, hasFilters(over)))
        void client.invalidateQueries({ queryKey: key.slice(0, 3) })
        void client.invalidateQueries({ queryKey: ['dashboards'] })
        return saved
      },
    })
  })
  const state = useSyncExternalStore(editor.subscribe, editor.state)
  useOthersEdits(now, editor)
  useResume(state, editor)
  return [editor, state]
}

/** Shows others' edits at once while there are no unsaved edits. */
function useOthersEdits({ latest }: DashboardState, editor: DashboardEditor): void {
  const { email: ownEmail } = useMe()
  useEffect(() => {
    if (!latest || latest.id <= editor.seen() || editor.state().pending.length > 0) return
    editor.discard()
    const isOwn = latest.user.email === ownEmail // made on another page or in another tab
    if (isOwn || !EDIT_ACTIVITIES.includes(latest.activity)) return
    notify({ message: `${latest.user.first_name} changed this dashboard.` })
  }, [latest, editor, ownEmail])
}

/** Saves what waits as soon as the server responds again. */
function useResume({ status, problem }: EditorState, editor: DashboardEditor): void {
  const isOffline = status === 'failed' && problem instanceof ApiError && problem.status === 0
  useEffect(() => {
    if (!isOffline) return
    const timer = setInterval(() => {
      void api.get('/_health').then(editor.resume, () => {})
    }, RECONNECT_MS)
    return () => clearInterval(timer)
  }, [isOffline, editor])
}
