import { Page } from '../../ui/page.tsx'

export function InsightEditorPage() {
  return <Page title="Insight">{null}</Page>
}
