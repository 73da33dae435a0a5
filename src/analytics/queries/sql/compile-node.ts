import { convert } from './convert.ts'
import type { NameScope } from './scope.ts'
import type { Node } from './tree.ts'
import type { Expression } from './types.ts'

export const compile = (node: Node, scope: NameScope): Expression =>
  scope.context.compileExpression(node, scope)

export const compileAll = (nodes: readonly Node[], scope: NameScope): Expression[] =>
  nodes.map((node) => compile(node, scope))

/** Compiles a condition of a WHERE; PostHog also accepts `1` and `0`. */
export const compileCondition = (node: Node, scope: NameScope): Expression =>
  convert(compile(node, scope), 'Boolean', scope.context)
