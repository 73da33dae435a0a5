import { Page } from '../../ui/page.tsx'

export function AppListPage() {
  return <Page title="Import apps">{null}</Page>
}
