import { Page } from '../../ui/page.tsx'

export function TemplatesPage() {
  return <Page title="Templates">{null}</Page>
}
