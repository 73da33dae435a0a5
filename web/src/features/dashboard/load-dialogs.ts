/** Loads the dialogs and forms in one file: the page names the files of each import, which adds up. */
export const loadDialogs = () => import('./dialogs.ts')
