import { closeCompletion } from '@codemirror/autocomplete'
import { sql } from '@codemirror/lang-sql'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Annotation, Prec } from '@codemirror/state'
import { EditorView, keymap, placeholder } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { basicSetup } from 'codemirror'
import { type Ref, useEffect, useImperativeHandle, useRef } from 'react'
import { unstyledTyping } from '../../../../ui/form/unstyled-typing.ts'
import { readNonce } from '../../../../ui/page/nonce.ts'
import type { Names } from '../../definitions-api.ts'
import { completeFrom } from './sql-completion.ts'
import classes from './sql-editor.module.css'

export interface SqlEditorHandle {
  /** Puts a text in place of the selection, or at the cursor. */
  readonly insert: (text: string) => void
}

interface SqlEditorProps {
  readonly ref?: Ref<SqlEditorHandle>
  readonly text: string
  readonly loadNames: () => Promise<Names>
  readonly onChange: (text: string) => void
  /** Passes the editor's text, which may be newer than `text`. */
  readonly onRun: (text: string) => void
}

const colors = HighlightStyle.define([
  { tag: tags.keyword, color: 'var(--sql-keyword)', fontWeight: '500' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--sql-string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--sql-number)' },
  { tag: [tags.lineComment, tags.blockComment], color: 'var(--mantine-color-dimmed)' },
])

/** Marks changes that were not typed: an opened or discarded query. */
const fromOutside = Annotation.define<boolean>()

/** Loaded on demand, because it is as large as the rest of the app. */
export default function SqlEditor(props: SqlEditorProps) {
  const container = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  /** Texts passed to onChange that have not come back as `text` yet. */
  const sent = useRef<string[]>([])
  const latest = useRef(props)
  latest.current = props

  useEffect(() => {
    if (!container.current) return
    const language = sql({ upperCaseKeywords: false })
    const run = (editor: EditorView) => {
      closeCompletion(editor)
      latest.current.onRun(editor.state.doc.toString())
      return true
    }
    const created = new EditorView({
      parent: container.current,
      doc: latest.current.text,
      extensions: [
        EditorView.cspNonce.of(readNonce()),
        unstyledTyping,
        Prec.highest(keymap.of([{ key: 'Mod-Enter', run }])),
        basicSetup,
        language,
        language.language.data.of({ autocomplete: completeFrom(() => latest.current.loadNames()) }),
        syntaxHighlighting(colors),
        placeholder('select event, count() from events group by event'),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': 'SQL query' }),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (!docChanged || transactions.some((one) => one.annotation(fromOutside))) return
          const text = state.doc.toString()
          sent.current.push(text)
          latest.current.onChange(text)
        }),
      ],
    })
    view.current = created
    return () => created.destroy()
  }, [])

  useImperativeHandle(props.ref, () => ({
    insert(text) {
      view.current?.dispatch(view.current.state.replaceSelection(text))
      view.current?.focus()
    },
  }))

  useEffect(() => {
    // typed text comes back as a prop later, when more may have been typed: do not overwrite that
    const echo = sent.current.lastIndexOf(props.text)
    sent.current.splice(0, echo < 0 ? sent.current.length : echo + 1)
    const doc = view.current?.state.doc.toString()
    if (echo >= 0 || doc === undefined || doc === props.text) return
    view.current?.dispatch({
      changes: { from: 0, to: doc.length, insert: props.text },
      annotations: fromOutside.of(true),
    })
  }, [props.text])

  return <div ref={container} className={classes.editor} />
}
