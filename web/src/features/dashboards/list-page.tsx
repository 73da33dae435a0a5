import { Page } from '../../ui/page.tsx'

export function DashboardListPage() {
  return <Page title="Dashboards">{null}</Page>
}
