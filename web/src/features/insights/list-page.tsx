import { Page } from '../../ui/page.tsx'

export function InsightListPage() {
  return <Page title="Insights">{null}</Page>
}
