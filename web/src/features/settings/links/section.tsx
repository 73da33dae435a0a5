import { PanelStack } from '../../../ui/page/panel.tsx'
import { AllLinks } from './all-links.tsx'
import { LinkRules } from './link-rules.tsx'

/** Settings for all that the organization publishes. */
export const LinksSection = () => (
  <PanelStack>
    <LinkRules />
    <AllLinks />
  </PanelStack>
)
