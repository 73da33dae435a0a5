import type { NotificationData } from '@mantine/notifications'
import { loadNotifications } from './on-demand.tsx'

/** Shows a toast. */
export function notify(notification: NotificationData): void {
  void loadNotifications().then(({ notifications }) => notifications.show(notification))
}

export function dismiss(id: string): void {
  void loadNotifications().then(({ notifications }) => notifications.hide(id))
}
