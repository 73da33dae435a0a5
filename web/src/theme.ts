import {
  type BadgeProps,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  type MantineThemeComponent,
  type MenuProps,
  type ModalProps,
  type NotificationProps,
  type TooltipProps,
} from '@mantine/core'

const hedge: MantineColorsTuple = [
  '#eef7f1',
  '#dcece3',
  '#b8d8c6',
  '#90c2a7',
  '#6dae8b',
  '#549f78',
  '#428e68',
  '#2f7d5b',
  '#24684a',
  '#174f37',
]

/** Green-tinted grays; Mantine's own are neutral. */
const dark: MantineColorsTuple = [
  '#e4e9e6',
  '#c3ccc7',
  '#98a39d',
  '#66716b',
  '#343b38',
  '#2c3230',
  '#202523',
  '#1a1e1c',
  '#141716',
  '#0f1211',
]

const HEADING = { fontWeight: '600', lineHeight: '1.3' }

/** Like `Modal.extend`, but without loading every dialog with the first page. */
function withDefaults<Props>(defaultProps: Partial<Props>): MantineThemeComponent {
  return { defaultProps }
}

/** One green, tinted grays, hairlines instead of shadows. */
export const theme = createTheme({
  respectReducedMotion: true,
  primaryColor: 'hedge',
  primaryShade: 7, // white text on it has 5.0:1
  colors: { hedge, dark },
  fontFamily: "'Inter Variable', Inter, system-ui, sans-serif",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  radius: { xs: '4px', sm: '6px', md: '8px', lg: '12px', xl: '20px' },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 'md',
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '22px', ...HEADING },
      h2: { fontSize: '18px', ...HEADING },
      h3: { fontSize: '15px', ...HEADING },
    },
  },
  components: {
    Badge: withDefaults<BadgeProps>({ tt: 'none', fw: 500, variant: 'light' }),
    Drawer: { styles: { title: { fontWeight: 600 } } },
    Menu: withDefaults<MenuProps>({
      shadow: 'md',
      position: 'bottom-end',
      // the first item gets the focus, since a menu may contain only items
      withInitialFocusPlaceholder: false,
    }),
    Modal: {
      ...withDefaults<ModalProps>({
        radius: 'lg',
        overlayProps: { backgroundOpacity: 0.35, blur: 2 },
        closeButtonProps: { 'aria-label': 'Close' },
      }),
      styles: { title: { fontWeight: 600 } },
    },
    Notification: withDefaults<NotificationProps>({ closeButtonProps: { 'aria-label': 'Close' } }),
    Tooltip: withDefaults<TooltipProps>({ openDelay: 300, withArrow: true }),
  },
})

/** White text on it has 5.6:1. Set per scheme, since Mantine's per-scheme variables win over shared ones. */
const filledRed = {
  '--mantine-color-red-filled': '#c92a2a',
  '--mantine-color-red-filled-hover': '#b32424',
}

/** Set here, since the style sheet that Mantine inserts would win over ours for the same selector. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {
    '--hg-shadow-tile': '0 1px 2px rgb(16 24 20 / 5%)',
    '--hg-shadow-dragged': '0 12px 32px rgb(16 24 20 / 14%)',
  },
  light: {
    ...filledRed,
    '--mantine-color-orange-light-color': '#9a3412', // 6.1:1 on its light background
    '--mantine-color-red-6': '#c92a2a', // destructive menu items
    '--mantine-color-red-outline': '#c92a2a',
    '--mantine-color-red-text': '#c92a2a',
    '--mantine-color-body': '#f7f9f8',
    '--mantine-color-text': '#1c2420',
    '--mantine-color-dimmed': '#5f6b65',
    '--mantine-color-disabled-color': '#5f6b65', // 4.6:1 on its background
    '--mantine-color-placeholder': '#66716b',
    '--mantine-color-default-border': '#d5dbd7',
    '--mantine-color-yellow-light-color': '#7a4a00',
    '--mantine-color-red-light-color': '#b42323',
    '--mantine-color-gray-light-color': '#4b5650',
    '--mantine-color-error': '#c92a2a', // 5.6:1 on white
    '--hg-surface': '#ffffff',
    '--hg-raised': '#ffffff',
    '--hg-hairline': '#e4e8e5',
  },
  dark: {
    ...filledRed,
    '--mantine-color-body': '#141716',
    '--mantine-color-text': '#e4e9e6',
    '--mantine-color-dimmed': '#98a39d',
    '--mantine-color-disabled-color': '#98a39d',
    '--mantine-color-placeholder': '#98a39d',
    '--mantine-color-default': '#202523',
    '--mantine-color-error': '#ff8787',
    '--mantine-color-default-hover': '#282e2b',
    '--mantine-color-default-border': '#343b38',
    '--mantine-color-hedge-light': 'rgb(116 211 164 / 12%)',
    '--mantine-color-hedge-light-hover': 'rgb(116 211 164 / 18%)',
    '--mantine-color-hedge-light-color': '#8fd9b3',
    '--mantine-color-anchor': '#8fd9b3',
    '--mantine-color-red-light': 'rgb(250 82 82 / 15%)',
    '--mantine-color-red-light-color': '#ffa8a8',
    '--mantine-color-orange-light': 'rgb(255 146 43 / 15%)',
    '--mantine-color-orange-light-color': '#ffc078',
    '--mantine-color-yellow-light': 'rgb(245 194 107 / 13%)',
    '--mantine-color-yellow-light-color': '#f5c26b',
    '--mantine-color-blue-light': 'rgb(116 162 252 / 15%)',
    '--mantine-color-blue-light-color': '#a5c4ff',
    '--mantine-color-gray-light': 'rgb(255 255 255 / 7%)',
    '--mantine-color-gray-light-color': '#c6cfca',
    '--hg-surface': '#1a1e1c',
    '--hg-raised': '#202523',
    '--hg-hairline': '#2c3230',
  },
})
