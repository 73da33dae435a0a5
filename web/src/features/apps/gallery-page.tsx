import { Page } from '../../ui/page.tsx'

export function AppGalleryPage() {
  return <Page title="Import apps">{null}</Page>
}
