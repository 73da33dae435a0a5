import type { NotificationData } from '@mantine/notifications'
import { loadNotifications } from './on-demand.tsx'

/** Shows a toast. */
export function notify(notification: NotificationData): void {
  withToasts(({ notifications }) => notifications.show(notification))
}

export function dismiss(id: string): void {
  withToasts(({ notifications }) => notifications.hide(id))
}

type Toasts = Awaited<ReturnType<typeof loadNotifications>>

/** Without the server, toasts cannot be loaded; the page says that it cannot be reached. */
const withToasts = (work: (toasts: Toasts) => void): void =>
  void loadNotifications().then(work, () => undefined)
