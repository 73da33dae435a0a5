import type { NotificationData } from '@mantine/notifications'
import { loadNotices } from './on-demand.tsx'

export function notify(notice: NotificationData): void {
  void loadNotices().then(({ notifications }) => notifications.show(notice))
}

export function dismiss(id: string): void {
  void loadNotices().then(({ notifications }) => notifications.hide(id))
}
