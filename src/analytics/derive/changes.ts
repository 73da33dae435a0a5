import type { EventStore } from '../event-store.ts'
import { deleteBefore, deleteByProperty, deletePerson, deleteProjectData } from './delete.ts'
import type { DerivedTables } from './derived-tables.ts'
import { editGroup, editPerson } from './edit.ts'

/** Runs a change of a project's past. If it returns something other than false and 0, results become stale. */
export type RunChange = <T extends boolean | number>(
  projectId: number,
  work: (tables: DerivedTables) => Promise<T>,
) => Promise<T>

type Changes = Pick<
  EventStore,
  | 'editPerson'
  | 'editGroup'
  | 'deletePerson'
  | 'deleteBefore'
  | 'deleteProject'
  | 'deleteByProperty'
>

/** Creates the methods of an event store that change the past. */
export function createChanges(change: RunChange): Changes {
  const toMethod =
    <Arg, T extends boolean | number>(
      run: (tables: DerivedTables, projectId: number, arg: Arg) => Promise<T>,
    ) =>
    (projectId: number, arg: Arg): Promise<T> =>
      change(projectId, (tables) => run(tables, projectId, arg))
  return {
    editPerson: toMethod(editPerson),
    editGroup: toMethod(editGroup),
    deletePerson: toMethod(deletePerson),
    deleteBefore: toMethod(deleteBefore),
    deleteByProperty: toMethod(deleteByProperty),
    deleteProject: (projectId) =>
      change(projectId, (tables) => deleteProjectData(tables, projectId)),
  }
}
