import { Page } from '../../ui/page.tsx'

export function AppPage() {
  return <Page title="Import app">{null}</Page>
}
